// What the theme leaves out for readers who use keys or a screen reader.
const name = (menu) => document.getElementById(menu.getAttribute("aria-labelledby"))?.textContent.trim();

// Menus of one name ("How to" of each reader) are told apart by the menus that they are in.
document.querySelectorAll("nav[aria-labelledby^=__nav_]").forEach((menu) => {
  menu.dataset.path = `${menu.parentElement.closest("nav[data-path]")?.dataset.path ?? "Pages"}, ${name(menu)}`;
  menu.setAttribute("aria-label", menu.dataset.path);
});
document.querySelectorAll("nav[data-path]").forEach((menu) => menu.removeAttribute("aria-labelledby"));

// So are the buttons of each block of code; and a block that can be scrolled sideways can be reached.
const reach = () => {
  document.querySelectorAll(".md-code__nav").forEach((menu, at) => {
    menu.setAttribute("aria-label", `Code ${at + 1}`);
  });
  document.querySelectorAll("pre > code, .md-typeset__scrollwrap").forEach((part) => {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  });
};
addEventListener("load", reach);
addEventListener("resize", reach);

// Where several versions are published side by side, one can go from each to the others.
const { base } = JSON.parse(document.getElementById("__config").textContent);
const root = new URL(`${base}/`, location.href);
const choose = (versions) => {
  const own = root.pathname.split("/").at(-2);
  const list = document.createElement("select");
  list.className = "versions";
  list.setAttribute("aria-label", "Version");
  list.append(...versions.map((version) => new Option(version, version, false, version === own)));
  list.addEventListener("change", async () => {
    const other = new URL(`../${list.value}/`, root);
    const same = new URL(location.pathname.slice(root.pathname.length), other);
    const has = await fetch(same, { method: "HEAD" }).then(({ ok }) => ok);
    location.assign(has ? same : other);
  });
  document.querySelector(".md-header__title").after(list);
};
if (location.protocol.startsWith("http"))
  fetch(new URL("../versions.json", root))
    .then((answer) => (answer.ok ? answer.json() : []))
    .then((versions) => versions.length > 0 && choose(versions));
