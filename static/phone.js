// What a phone can do beyond showing the table: stay awake while the match runs, and tick. Where a browser cannot, nothing is asked of it.
(() => {
  "use strict";
  const $ = selector => document.querySelector(selector), over = () => $("#enter h1.win") !== null;

  // ---- awake: the browser lets go of it whenever the page is hidden -----------------------------------------------------
  let lock = null;  // a promise: asked for, or held
  function stayAwake() {
    if (!navigator.wakeLock || document.hidden || over() || lock) return;
    lock = navigator.wakeLock.request("screen").then(held => { held.addEventListener("release", () => { lock = null; }); return held; });
    lock.catch(() => { lock = null; });  // a low battery may say no
  }
  function mayRest() { if (over() && lock) lock.then(held => held.release(), () => {}); }

  // ---- a tick in the hand -----------------------------------------------------------------------------------------------
  const still = matchMedia("(prefers-reduced-motion: reduce)"), active = navigator.userActivation;
  const tick = length => { if (navigator.vibrate && !still.matches && active && active.hasBeenActive) navigator.vibrate(length); };
  const isMyTurn = () => {
    const mine = document.querySelectorAll("#waiting .ring > li")[document.body.dataset.own];
    return !!mine && mine.matches(".next, .leads");
  };
  let mine = isMyTurn();
  document.addEventListener("htmx:afterRequest", event => { if (event.detail.requestConfig.verb === "post" && event.detail.xhr.status === 204) tick(15); });
  document.addEventListener("region", () => {
    mayRest();
    const now = isMyTurn();
    if (now && !mine) tick([30, 60, 30]);
    mine = now;
  });

  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
})();
