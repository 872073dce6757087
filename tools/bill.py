"""The bill of materials of a release, in CycloneDX 1.6: what is in it and what it asks for.

`python -m tools.bill FILE` writes that of the arena in the working directory.
"""

import re
import sys
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import msgspec

from arena import __version__
from tools.licences import ROOT, Licensed, asked_for, bundled


def bill_of_materials(version: str) -> bytes:
    """The bill as JSON; for one version and one set of packages always the same bytes."""
    hashes = locked_hashes(ROOT / "scripts/run.txt")
    own = {
        "type": "application",
        "bom-ref": f"pkg:pypi/zole-arena@{version}",
        "name": "zole-arena",
        "version": version,
        "purl": f"pkg:pypi/zole-arena@{version}",
        "licenses": [{"license": {"id": "MIT"}}],
    }
    components = [
        _component(each, hashes.get(each.name, [])) for each in (*asked_for(), *bundled())
    ]
    found = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [
            {"ref": own["bom-ref"], "dependsOn": [each["bom-ref"] for each in components]}
        ],
    }
    text = msgspec.json.encode(found)
    found = {"serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, text.decode())}", **found}
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def locked_hashes(lock: Path) -> dict[str, list[str]]:
    """By package, the SHA-256 of each of its files, of which one is installed."""
    entries = re.split(r"\n(?=\w)", lock.read_text())
    return {each.partition("==")[0]: re.findall(r"sha256:(\w+)", each) for each in entries}


def _component(each: Licensed, hashes: list[str]) -> dict[str, object]:
    kind, name = (
        ("npm", each.name.replace("@", "%40")) if each.group == "pages" else ("pypi", each.name)
    )
    purl = f"pkg:{kind}/{name}@{each.version}"
    simple = re.fullmatch(r"[\w.-]+", each.licence)
    files = [
        {"type": "distribution", "url": f"https://pypi.org/project/{each.name}/{each.version}/",
         "hashes": [{"alg": "SHA-256", "content": digest}]}
        for digest in hashes
    ]  # fmt: skip
    return {
        "type": "library",
        "bom-ref": purl,
        "name": each.name,
        "version": each.version,
        "scope": "required" if each.group in {"run", "pages"} else "optional",
        "purl": purl,
        "licenses": [{"license": {"id": each.licence}} if simple else {"expression": each.licence}],
        **({"externalReferences": files} if files else {}),
        "properties": [{"name": "zole-arena:group", "value": each.group}],
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(bill_of_materials(__version__))
