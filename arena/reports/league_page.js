// Sorts a table by the column whose heading is pressed; pressed again, the other way round.
for (const table of document.querySelectorAll(".sorts")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const value = (row) => {
      const { dataset, textContent } = row.cells[column];
      if (dataset.text !== undefined) return dataset.text;
      if (head.classList.contains("text") && dataset.value === undefined) return textContent;
      const number = parseFloat(dataset.value ?? textContent.replace(/^[<>~]/, "").replaceAll(",", ""));
      return Number.isNaN(number) ? -Infinity : number;
    };
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a < b ? -1 : Number(a > b));
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const rises = head.classList.contains("best") || column === 0 || typeof value(body.rows[0]) === "string";
      const up = before === null ? rises : before === "descending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].sort((a, b) => compare(value(a), value(b)));
      body.append(...(up ? rows : rows.reverse()));
    });
  });
}
