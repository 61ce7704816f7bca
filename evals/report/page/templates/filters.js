"use strict";
// Filters, order and deep links of the records. Without this the page is plain sections, in the same order.
(() => {
  const form = document.getElementById("filters");
  const list = document.getElementById("records");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none-shown");
  const records = Array.from(list.querySelectorAll("details.record"));
  const texts = new Map();
  const exact = ["standing", "batch", "state", "verdict", "draft"];

  // A record's text is read when first searched: it is the bulk of the page.
  const textOf = (record) => {
    if (!texts.has(record)) texts.set(record, record.textContent.toLowerCase());
    return texts.get(record);
  };

  const fits = (record, wanted, words) =>
    exact.every((name) => !wanted[name] || record.dataset[name] === wanted[name]) &&
    (!wanted.wrong || record.dataset.wrong.split(" ").includes("verdict")) &&
    words.every((word) => textOf(record).includes(word));

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const record of records) {
      record.hidden = !fits(record, wanted, words);
      if (!record.hidden) count += 1;
    }
    shown.textContent = count;
    none.hidden = count > 0;
  };

  const byId = (one, other) => one.dataset.id.localeCompare(other.dataset.id, undefined, { numeric: true });
  const scoreOf = (record) => (record.dataset.score === "" ? -1 : Number(record.dataset.score));
  const orders = {
    score: (one, other) => scoreOf(other) - scoreOf(one) || byId(one, other),
    id: byId,
    batch: (one, other) => one.dataset.batch.localeCompare(other.dataset.batch, undefined, { numeric: true }) || byId(one, other),
  };
  const sort = () => list.append(...records.sort(orders[form.elements.sort.value]));

  // A link to a record, or to a place inside one, opens it and shows it even where a filter had hidden it.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const record = target && target.closest("details.record");
    if (!record) return;
    record.hidden = false;
    record.open = true;
    target.scrollIntoView();
  };

  const openAll = (open) => records.forEach((record) => { if (!record.hidden) record.open = open; });
  form.addEventListener("input", filter);
  form.elements.sort.addEventListener("change", sort);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { sort(); filter(); }));
  form.elements.open.addEventListener("click", () => openAll(true));
  form.elements.close.addEventListener("click", () => openAll(false));
  window.addEventListener("hashchange", follow);
  form.hidden = false;
  // A browser keeps what was chosen across a reload.
  sort();
  filter();
  follow();
})();
