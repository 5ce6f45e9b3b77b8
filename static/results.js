// Passing a result on: where the browser can copy or share, there is a button for it; everywhere else the text is marked with one tap.
(() => {
  "use strict";
  const words = document.getElementById("words"), copy = document.querySelector("[data-copy]"), share = document.querySelector("[data-share]");
  if (!words) return;
  words.addEventListener("focus", () => words.select());
  if (navigator.clipboard && navigator.clipboard.writeText) {
    copy.hidden = false;
    copy.addEventListener("click", () => navigator.clipboard.writeText(words.value).then(() => { copy.textContent = copy.dataset.done; }, () => words.focus()));
  }
  if (navigator.share) {
    let files = [];  // fetched before the tap: a share sheet opens only right after one
    fetch(share.dataset.share).then(answer => answer.blob()).then(blob => { files = [new File([blob], "result.png", { type: "image/png" })]; }).catch(() => {});
    share.hidden = false;
    share.addEventListener("click", () => {
      const picture = files.length && navigator.canShare && navigator.canShare({ files }) ? { files } : {};
      navigator.share({ text: words.value, ...picture }).catch(() => {});
    });
  }
})();
