// Tricky Cribby: what the trick still misses, a form that was overtaken, and the line and the loop before the first trick.
(() => {
  "use strict";
  const $ = (selector, root) => root.querySelector(selector), all = (selector, root) => [...root.querySelectorAll(selector)];

  // The button names the card that is missing.
  function missing(form) {
    const done = $("[data-done]", form), slot = $("[data-slot].now", form), name = slot && $("span:not(.seat)", slot).textContent;
    done.dataset.label = done.dataset.label || done.textContent;
    done.textContent = !slot ? done.dataset.label : $("input", slot).name === "up" ? done.dataset.first : done.dataset.next.replace("NAME", name);
  }
  document.addEventListener("picked", event => { if (event.target.matches(".cri-trick")) missing(event.target); });
  all(".cri-trick", document).forEach(missing);

  // Somebody else went on while this form was in use: say so, take nothing away.
  function late() {
    const enter = document.getElementById("enter"), waiting = document.getElementById("waiting"), notice = enter && $("[data-late]", enter);
    if (notice && waiting) notice.hidden = !enter.matches(".held") || enter.dataset.stage === waiting.dataset.stage;
  }
  document.addEventListener("region", late);

  // Colours tapped in order, as many of each as there are; what is left over is filled in.
  function list(box) {
    const most = Number(box.dataset.criList), each = Number(box.dataset.each), input = $("input", box);
    const line = each === 1;  // a tap on a whole one begins it anew
    const keys = all("[data-colour]", box), shown = $("[data-shown]", box), pad = $("[data-pad]", box), state = $("[data-state]", box);
    const colours = keys.map(key => key.dataset.colour), left = colour => each - chosen.filter(one => one === colour).length;
    let chosen = input.value.split(",").filter(colour => colours.includes(colour));
    const on = (selector, act) => { const button = $(selector, box); if (button) button.addEventListener("click", () => { act(); show(); }); };
    function picture(colour) {
      const item = document.createElement("li"), letter = document.createElement("b"), key = keys.find(one => one.dataset.colour === colour);
      item.className = "suit-" + colour; letter.textContent = key.dataset.letter;
      item.append($(".shape", key).cloneNode(true), letter);
      return item;
    }
    function show() {
      const open = colours.filter(left);
      if (open.length === 1) while (left(open[0])) chosen.push(open[0]);
      input.value = chosen.join(",");
      shown.replaceChildren(...chosen.map(picture));
      keys.forEach(key => { const n = left(key.dataset.colour); key.disabled = !n && !line; if (each > 1) $("small", key).textContent = n; });
      if (state) state.textContent = chosen.length === most ? state.dataset.ready : state.dataset.soFar.replace("N", chosen.length);
      if (pad && chosen.length) pad.hidden = false;
    }
    keys.forEach(key => key.addEventListener("click", () => {
      if (line && chosen.length === most) chosen = [];
      if (left(key.dataset.colour)) chosen.push(key.dataset.colour);
      show();
    }));
    on("[data-mix]", () => { chosen = mixed(colours.flatMap(colour => Array(each).fill(colour))); });
    on("[data-enter]", () => { chosen = []; pad.hidden = false; });
    on("[data-back]", () => { do chosen.pop(); while (chosen.length && colours.filter(left).length === 1); });
    on("[data-clear]", () => { chosen = []; pad.hidden = true; });
    $(".cri-typed", box).hidden = true; $(".cri-made", box).hidden = false;
    show();
  }
  function mixed(cards) {
    for (let last = cards.length - 1; last > 0; last--) {
      const at = Math.floor(Math.random() * (last + 1));
      [cards[last], cards[at]] = [cards[at], cards[last]];
    }
    return cards;
  }
  all("[data-cri-list]", document).forEach(list);
})();
