// What only the tables need: the card grid, tabs between depths of entry, the tally. Everything has a way without script.
(() => {
  "use strict";
  const $ = (selector, root) => root.querySelector(selector), all = (selector, root) => [...root.querySelectorAll(selector)];
  const keep = (key, value) => { try { if (value === undefined) return localStorage.getItem(key); localStorage.setItem(key, value); } catch { return null; } };

  // A struck value says why when it is tapped.
  document.addEventListener("click", event => {
    const struck = event.target.closest("[data-why]");
    if (!struck) return;
    const place = $(".told", struck.closest("form, section") || document);
    if (place) { place.textContent = struck.dataset.why; place.hidden = false; }
  });

  // A long form leaves the page where its last button was: the next question, or why it was refused, comes into view.
  document.addEventListener("region", ({ target, detail }) => { if (detail && target.id === "enter" && target.getBoundingClientRect().top < 0) target.scrollIntoView(); });

  // One tap on a card fills the next free slot; a tap on a filled slot empties it. The form counts as in use from the first card on.
  function picker(form) {
    const slots = all("[data-slot]", form), buttons = all("[data-pick]", form), done = $("[data-done]", form);
    const input = slot => $("input", slot), free = () => slots.find(slot => !input(slot).value);
    function show() {
      const now = free();
      slots.forEach(slot => {
        const value = input(slot).value, button = value && buttons.find(each => each.dataset.pick === value);
        slot.classList.toggle("now", slot === now); slot.classList.toggle("has", !!value);
        const [colour, number] = value.split("-"), filled = $(".filled", slot);
        filled.textContent = value ? number : "";
        if (value && button) { filled.className = "filled suit-" + colour; filled.prepend(shapeOf(colour)); }
      });
      const chosen = slots.map(slot => input(slot).value);
      buttons.forEach(button => { const there = chosen.includes(button.dataset.pick); button.classList.toggle("chosen", there); button.setAttribute("aria-pressed", there); });
      if (done) done.disabled = !!now;
      form.classList.toggle("typing", chosen.some(Boolean));
      form.dispatchEvent(new CustomEvent("picked", { bubbles: true, detail: { chosen, complete: !now } }));
    }
    function shapeOf(colour) { const shape = $(".suit-row .suit-" + colour + " .shape", form); return shape ? shape.cloneNode(true) : ""; }
    buttons.forEach(button => button.addEventListener("click", () => {
      if (button.hasAttribute("data-why")) return;
      const at = slots.find(slot => input(slot).value === button.dataset.pick);
      if (at) input(at).value = ""; else if (free()) input(free()).value = button.dataset.pick;
      show();
    }));
    slots.forEach(slot => slot.addEventListener("click", () => { input(slot).value = ""; show(); }));
    show();
  }

  // Tabs: the one last used comes back, also after a live update.
  function tabs(bar) {
    const group = bar.dataset.tabs, root = bar.closest("section"), buttons = all("[data-tab]", bar);
    const key = "tab:" + group, last = bar.dataset.open || keep(key), panes = all('[data-pane^="' + group + ':"]', root);
    function go(id) {
      buttons.forEach(button => button.setAttribute("aria-selected", button.dataset.tab === id));
      panes.forEach(pane => { pane.hidden = pane.dataset.pane !== group + ":" + id; });
    }
    buttons.forEach((button, n) => {
      button.addEventListener("click", () => { keep(key, button.dataset.tab); go(button.dataset.tab); });
      button.addEventListener("keydown", event => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], other = step && buttons[(n + step + buttons.length) % buttons.length];
        if (other) { other.focus(); other.click(); }
      });
    });
    bar.hidden = false;
    go(buttons.some(button => button.dataset.tab === last) ? last : buttons[0].dataset.tab);
  }

  // A running sum: every tap adds a number, and the sum stays to be seen: 3+6+2.
  function tally(box) {
    const input = $("input", box), keys = $(".keys", box), form = box.closest("form");
    keys.hidden = false;
    keys.addEventListener("click", event => {
      const add = event.target.dataset.add;
      if (!add) return;
      const parts = input.value.split("+").filter(Boolean);
      if (add === "back") parts.pop(); else parts.push(add);
      input.value = parts.join("+");
      form.classList.add("typing");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  // A form whose choice is complete sends itself: the last tap is the entry.
  function oneTap(form) {
    form.addEventListener("change", () => {
      const groups = new Set(all("input[type=radio]", form).map(radio => radio.name));
      if ([...groups].every(name => $('input[name="' + name + '"]:checked', form))) form.requestSubmit($("[data-done]", form) || undefined);
    });
  }

  function enliven(root) {
    const each = (selector, make) => all(selector, root).concat(root.matches && root.matches(selector) ? [root] : []).forEach(part => { if (!part.dataset.ready) { part.dataset.ready = 1; make(part); } });
    each("form[data-picker]", picker); each("[data-tabs]", tabs); each("[data-tally]", tally); each("form[data-one-tap]", oneTap);
  }
  enliven(document);
  document.addEventListener("region", event => enliven(event.target));
})();
