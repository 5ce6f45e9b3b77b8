// Only "Who wins this trick?": shows the verdict where the eye is, and passes the address on where the browser can.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function enliven() {
    all("[data-share]").forEach(button => { button.hidden = !navigator.share; });
    all("[data-copy]").forEach(button => { button.hidden = !navigator.clipboard; });
  }
  document.addEventListener("click", event => {
    const share = event.target.closest("[data-share]"), copy = event.target.closest("[data-copy]");
    if (event.target.id === "address") event.target.select();
    if (share) navigator.share({ title: share.dataset.title, url: share.dataset.share }).catch(() => {});
    if (copy) navigator.clipboard.writeText(copy.dataset.copy).then(() => { copy.textContent = copy.dataset.done; }, () => {});
  });
  document.addEventListener("htmx:afterSettle", () => {
    enliven();
    const verdict = document.querySelector("#resolver .verdict .win"), said = document.getElementById("announce");
    if (!verdict) { said.textContent = ""; return; }
    if (said.textContent !== verdict.textContent) { said.textContent = verdict.textContent; if (!document.querySelector("[data-tapping]")) scrollTo({ top: 0 }); }
  });
  enliven();
})();
