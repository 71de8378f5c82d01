
"use strict";
for (const table of document.querySelectorAll("table")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const body = table.tBodies[0];
  const value = (row, i) => {
    const cell = row.cells[i];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  const sort = (i) => {
    const down = heads[i].getAttribute("aria-sort") === "ascending";
    const rows = Array.from(body.rows);
    rows.sort((x, y) => {
      const a = value(x, i), b = value(y, i);
      if (a === "" || b === "") return (a === "") - (b === "");
      return down ? compare(b, a) : compare(a, b);
    });
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[i].setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows);
  };
  heads.forEach((head, i) => {
    head.classList.add("sortable");
    head.tabIndex = 0;
    head.addEventListener("click", () => sort(i));
    head.addEventListener("keydown", (e) => {
      if (e.key === "Enter" || e.key === " ") {
        e.preventDefault();
        sort(i);
      }
    });
  });
}
