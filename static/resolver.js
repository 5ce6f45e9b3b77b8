// Only "Who wins this trick?": shows the verdict where the eye is, and passes the address on where the browser can.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const words = selector => all(selector).map(each => each.textContent.trim()).join(" ");
  let shown = words("#resolver .verdict .win");

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
    const won = words("#resolver .verdict .win"), other = words("#resolver .otherwise .big"), announce = document.getElementById("announce");
    if (announce.textContent !== (other || won)) announce.textContent = other || won;
    if (won && won !== shown && !document.querySelector("[data-tapping]")) scrollTo({ top: 0 });
    shown = won;
  });
  enliven();
})();
