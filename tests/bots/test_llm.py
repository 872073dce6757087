"""The bot that asks a language model, before a server that stands in for one."""

import ast
import json
import re
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from arena.base.installation import shipped
from tests.support.bots import needs_full_sandbox, write_quick_bot
from tests.support.command import document, output, refusal
from tests.support.needs import need

Reply = Callable[[int, str], tuple[int, object]]
"""The status and the body of an answer, by the request's number and the last message."""


def completion(text: str) -> tuple[int, object]:
    return 200, {"choices": [{"message": {"role": "assistant", "content": text}}]}


def first_choice(number: int, question: str) -> tuple[int, object]:
    """The answer of a model that plays ordinary games, else the first card offered."""
    found = re.search(r"(one|two) of:? ([^.\n]*)", question)
    assert found is not None, question
    count = 2 if found[1] == "two" else 1
    choices = sorted(found[2].split(), key=lambda word: word not in ("ordinary", "take"))
    return completion(f"Let me think.\nANSWER: {' '.join(choices[:count])}")


@contextmanager
def model(reply: Reply, certificate: Path | None = None) -> Iterator[tuple[str, list[Any]]]:
    """The address of a server, and what it has been asked: path, key and body of each request."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers["Authorization"], body))
            status, said = reply(len(asked), body["messages"][-1]["content"])
            text = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *words: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *request: object) -> None:
            pass  # a bot that does not wait for its answer

    with Server(("127.0.0.1", 0), Handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


def league(folder: Path, address: str, more: str = "", scheme: str = "http") -> Path:
    """A league of one deal with the bot, which asks at an address, and two quick ones."""
    output("new", folder / "mine", "--lang", "llm")
    source = folder / "mine" / "bot.py"
    text = source.read_text()
    assert text.count("http://127.0.0.1:11434/") == 1
    source.write_text(text.replace("http://127.0.0.1:11434", f"{scheme}://{address}"))
    for name in "ab":
        write_quick_bot(folder / name, turn=0)
    path = folder / "league.toml"
    path.write_text(
        f'deals = 1\nbots = ["a", "b", {{ path = "mine", network = ["{address}"]{more} }}]\n'
    )
    return path


def notes(path: Path) -> list[str]:
    """The notes of the bot's answers in the league's first match; it made no fault."""
    output("league", path)
    assert all(line["faults"] == {} for line in document("standings", path)["standings"])
    found = re.findall(r"^ +note: (.*)$", output("replay", path, "1"), re.MULTILINE)
    return list(map(ast.literal_eval, found))


@pytest.mark.parametrize("rules", ["pagat", "lzsf"])
def test_it_plays_what_the_model_answers(
    tmp_path: Path, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "sk-mine")
    with model(first_choice) as (address, asked):
        path = league(tmp_path, address, ', environment = ["LLM_API_KEY"]')
        path.write_text(f'rules = "{rules}"\n{path.read_text()}')
        made = notes(path)
    told = output("replay", path, "1")
    assert re.search(r"mine: bid ordinary .*\n.*ANSWER: ordinary", told)
    assert re.search(r"mine: discard .*\n.*ANSWER: \w\w \w\w'", told)
    assert len(made) >= 9
    assert all(note.startswith("Let me think.\nANSWER: ") for note in made)
    prompt = (shipped("sample_bots") / "llm" / "prompt.txt").read_text()
    for where, key, body in asked:
        assert (where, key, body["model"]) == ("/v1/chat/completions", "Bearer sk-mine", "llama3.2")
        [system, user] = body["messages"]
        assert system == {"role": "system", "content": prompt}
        assert user["content"].startswith("You are seat ")
    record = path.with_suffix(".db").read_bytes()
    assert b"sk-mine" not in record
    assert f"mine may connect to {address}." in output("standings", path)


def test_it_asks_again_after_what_may_pass(tmp_path: Path) -> None:
    def reply(number: int, question: str) -> tuple[int, object]:
        odd = [
            (503, "busy"),
            (200, ["no completion"]),
            first_choice(number, question),
            (429, {}),
        ]
        return odd[number - 1] if number <= len(odd) else first_choice(number, question)

    with model(reply) as (address, asked):
        made = notes(league(tmp_path, address))
    assert all(note.startswith("Let me think.") for note in made)
    assert [len(body["messages"]) for _, _, body in asked[:5]] == [2, 2, 2, 2, 2]


def test_a_model_that_answers_nothing_legal_is_told_so_and_replaced(tmp_path: Path) -> None:
    with model(lambda number, question: completion("ANSWER: 8C")) as (address, asked):
        made = notes(league(tmp_path, address))
    assert set(made) == {"without the model: nothing legal in 'ANSWER: 8C'"}
    assert [len(body["messages"]) for _, _, body in asked[:4]] == [2, 4, 6, 2], "then once only"
    assert asked[1][2]["messages"][3]["content"].startswith("That is not one of ")


@pytest.mark.parametrize(
    ("status", "note"),
    [(401, 'without the model: status 401: {"error": "no key"}'), (404, "without the model: ")],
)
def test_it_does_not_ask_in_vain(tmp_path: Path, status: int, note: str) -> None:
    with model(lambda number, question: (status, {"error": "no key"})) as (address, _asked):
        made = notes(league(tmp_path, address))
    assert all(said.startswith(note) for said in made)


def test_a_model_that_is_too_slow_costs_no_fault(tmp_path: Path) -> None:
    waiting = threading.Event()

    def reply(number: int, question: str) -> tuple[int, object]:
        waiting.wait(60)
        return completion("")

    with model(reply) as (address, _):
        path = league(tmp_path, address)
        path.write_text(f"seatings = 3\n{path.read_text()}[limits]\nmove_s = 5.2\n")
        made = notes(path)
        waiting.set()
    assert set(made) == {"without the model: timed out"}


def test_it_plays_without_a_network(tmp_path: Path) -> None:
    path = league(tmp_path, "127.0.0.1:1")
    path.write_text('deals = 1\nbots = ["a", "b", "mine"]\n')
    told = "without the model: no network: the league's file must allow it"
    assert set(notes(path)) == {told}


@needs_full_sandbox
def test_it_checks_whom_it_talks_to_by_https(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("openssl")
    whole = tmp_path / "own.pem"
    made = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=model", "-days", "2")
    name = ("-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "ca.pem"))
    subprocess.run(("openssl", *made, *name, *files), check=True, capture_output=True)
    ca = (tmp_path / "ca.pem").read_bytes()
    whole.write_bytes((tmp_path / "key.pem").read_bytes() + ca)
    monkeypatch.setenv("SSL_CERT_FILE", "ca.pem")
    with model(first_choice, whole) as (address, _):
        path = league(tmp_path, address, ', environment = ["SSL_CERT_FILE"]', "https")
        strict = path.read_text()
        (path.parent / "mine" / "ca.pem").write_bytes(ca)
        assert all(note.startswith("Let me think.") for note in notes(path))
        other = path.with_name("other.toml")
        other.write_text(strict.replace(', environment = ["SSL_CERT_FILE"]', ""))
        assert all("certificate verify failed" in note for note in notes(other))


def test_a_variable_that_is_not_set_ends_the_league_before_it_begins(tmp_path: Path) -> None:
    path = league(tmp_path, "127.0.0.1:1", ', environment = ["NO_SUCH_KEY"]')
    told = f"{path}: the bot mine is to have NO_SUCH_KEY, which is not set; export NO_SUCH_KEY=…\n"
    assert refusal("league", path) == told
