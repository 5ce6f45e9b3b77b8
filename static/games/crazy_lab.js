// Only Crazy Lab: minus colours without doubles, numbers in trump, whole cards by taps, the sums of a count.
(() => {
  "use strict";
  const $ = (selector, root) => root.querySelector(selector), all = (selector, root) => [...root.querySelectorAll(selector)];
  const trumpOf = form => { const found = $('[name="trump"]:checked', form); return found ? found.value : ""; };
  const tell = (form, text) => { const place = all(".told", form).pop(); place.textContent = text; place.hidden = !text; };

  // A colour that one seat avoids is struck for the others; the last one of five is filled in.
  function minus(form) {
    const rows = all(".lab-row", form), radios = row => all("input", row), chosen = row => radios(row).find(each => each.checked);
    function show() {
      rows.forEach(row => radios(row).forEach(radio => {
        const owner = rows.find(other => other !== row && chosen(other) && chosen(other).value === radio.value), tile = radio.parentElement;
        radio.disabled = !!owner; tile.classList.toggle("struck", !!owner);
        if (owner) tile.dataset.why = owner.dataset.taken; else delete tile.dataset.why;
      }));
      form.classList.toggle("typing", rows.some(chosen));
    }
    form.addEventListener("change", () => {
      show();
      const open = rows.filter(row => !chosen(row)), free = open.length === 1 ? radios(open[0]).filter(each => !each.disabled) : [];
      if (free.length === 1) { free[0].checked = true; show(); }
    }, true);
    show();
  }

  // The trump that was tapped in one way of entering is the trump in the others.
  function trump(form) {
    form.addEventListener("change", event => {
      if (event.target.name !== "trump") return;
      form.classList.add("typing");
      all('[name="trump"][value="' + event.target.value + '"]', form.closest("section") || form).forEach(each => {
        if (!each.checked) { each.checked = true; each.form.dispatchEvent(new CustomEvent("trump")); }
      });
    });
  }

  // Who wins? Each number in trump in the order of play; if all are 0, each card's highest number. The last number is the entry.
  function who(form) {
    const slots = all("[data-slot]", form), keys = all("[data-value]", form);
    const question = $("[data-question]", form), answer = $(".lab-verdict", form.parentElement);
    const shown = slots.map(() => null), highest = slots.map(() => null);
    const bare = () => shown.every(value => value === 0), asked = () => bare() ? highest : shown, free = () => asked().indexOf(null);
    function show() {
      question.textContent = bare() ? question.dataset.highest : question.dataset.shown;
      slots.forEach((slot, n) => {
        const value = asked()[n], item = slot.parentElement;
        $(".filled", slot).textContent = value === null ? "" : value;
        item.classList.toggle("has", value !== null); item.classList.toggle("now", n === free());
      });
      keys[0].disabled = bare();
      form.classList.toggle("typing", shown.some(value => value !== null) || !!trumpOf(form));
      ask();
    }
    let wanted = "";  // the verdict on what stands there now
    function ask() {
      answer.textContent = wanted = "";
      if (free() >= 0) return;
      if (!trumpOf(form)) return tell(form, form.dataset.missing);
      const cards = shown.map((value, n) => value ? { [trumpOf(form)]: value } : { highest: highest[n] || 1 });
      wanted = form.dataset.labWho + "?question=" + encodeURIComponent(JSON.stringify({ trump: trumpOf(form), cards }));
      htmx.ajax("GET", wanted, { target: answer, swap: "innerHTML" }).catch(() => {});  // the line says so, and it is asked again
    }
    keys.forEach(key => key.addEventListener("click", () => {
      const values = asked();
      if (key.dataset.value !== "back") { if (free() >= 0) values[free()] = Number(key.dataset.value); }
      else if (values.some(value => value !== null)) values[values.findLastIndex(value => value !== null)] = null;
      else shown[shown.length - 1] = null;
      show();
    }));
    slots.forEach((slot, n) => slot.addEventListener("click", () => { asked()[n] = null; show(); }));
    form.addEventListener("change", () => { tell(form, ""); show(); });
    form.addEventListener("trump", () => { tell(form, ""); show(); });
    form.addEventListener("submit", event => event.preventDefault());
    answer.addEventListener("htmx:afterSettle", ({ detail }) => {
      if (detail.pathInfo.requestPath === wanted) book(answer); else answer.textContent = "";
    });
    document.addEventListener("again", () => { if (form.isConnected && !answer.firstChild) ask(); });
    show();
  }

  // The verdict is entered as soon as it is there, unless the table answered this otherwise before: then it is for people to say. Why it
  // is so stays to be read above the next trick, with the way back beside it.
  let booked = null;
  const trickNow = () => document.getElementById("enter").dataset.trick;
  const undoes = () => (document.querySelector("#undo form[data-do=trick]") || { action: "" }).action;
  function book(answer) {
    const form = $("form.book", answer);
    if (!form || form.dataset.sent || $(".earlier", answer)) return;
    form.dataset.sent = 1;
    booked = { verdict: $(".verdict", answer).cloneNode(true), from: trickNow(), at: null, before: undoes(), undo: "" };
    all("form", booked.verdict).forEach(each => each.remove());
    form.requestSubmit();
  }
  function showBooked() {
    const place = document.querySelector(".lab-booked");
    if (!booked || !place || trickNow() === booked.from) return;
    booked.at = booked.at || trickNow();
    if (booked.at !== trickNow() || document.querySelector("#enter .taken")) {  // entered anew by its cards, it says so itself
      booked = null;
      return;
    }
    $(".lab-why", place).replaceChildren(booked.verdict);
    if (undoes() !== booked.before) booked.undo = booked.undo || undoes();  // of a trick that is new
    const button = $("button", place);
    button.hidden = !booked.undo || undoes() !== booked.undo;  // after something else was entered, the story has the way back
    button.onclick = () => document.querySelector("#undo form").requestSubmit();
    place.hidden = false;
  }

  // Whole cards: a tap is a colour with its number, the last colour that fits goes on by itself.
  function cards(pad) {
    const form = pad.closest("form"), slots = all("[data-slot]", pad), cells = all(".pick", pad), most = Number(pad.dataset.most);
    const done = $("[data-done]", pad), label = done.textContent;
    const inputs = slots.map(slot => all("input", slot.parentElement)), known = JSON.parse(pad.dataset.seen);
    const filled = n => inputs[n].filter(input => input.value), name = n => slots[n].dataset.name;
    const key = n => filled(n).map(input => input.dataset.colour + "-" + input.value).join(" ");
    const empty = () => slots.findIndex((_, n) => !filled(n).length);
    let at = Math.max(empty(), 0);
    pad.hidden = false;
    all(".lab-scripted", form).forEach(part => { part.hidden = false; });
    all(".lab-plain", form).forEach(part => { part.hidden = true; });
    function picture(n) {
      return filled(n).map(input => {
        const suit = document.createElement("span"), number = document.createElement("b");
        suit.className = "suit suit-" + input.dataset.colour; number.textContent = input.value;
        suit.append($('.pick[data-colour="' + input.dataset.colour + '"] .shape', pad).cloneNode(true), number);
        return suit;
      });
    }
    function show() {
      slots.forEach((slot, n) => {
        slot.classList.toggle("now", n === at);
        $(".lab-card", slot).replaceChildren(...picture(n));
      });
      const chosen = cell => inputs[at].some(input => input.dataset.colour === cell.dataset.colour && input.value === cell.dataset.value);
      cells.forEach(cell => cell.classList.toggle("chosen", chosen(cell)));
      const next = empty(), needsTrump = next < 0 && !trumpOf(form);
      const missing = !filled(at).length ? done.dataset.card.replace("NAME", name(at)) : needsTrump ? done.dataset.trump : "";
      done.textContent = missing || (next >= 0 ? done.dataset.next.replace("NAME", name(next)) : label);
      done.disabled = !!missing;
      form.classList.toggle("typing", slots.some((_, n) => filled(n).length) || !!trumpOf(form));
    }
    function go(n) { tell(form, known[key(at)] || ""); at = n; show(); }
    cells.forEach(cell => cell.addEventListener("click", () => {
      const input = inputs[at].find(each => each.dataset.colour === cell.dataset.colour), before = filled(at).length;
      if (!input.value && before === most) return tell(form, done.dataset.full);
      input.value = input.value === cell.dataset.value ? "" : cell.dataset.value;
      tell(form, known[key(at)] || "");
      if (filled(at).length === most && before < most && empty() >= 0) return go(empty());
      show();
    }));
    slots.forEach((slot, n) => slot.addEventListener("click", () => go(n)));
    form.addEventListener("submit", event => {
      if (empty() < 0 && trumpOf(form)) return;
      event.preventDefault(); event.stopImmediatePropagation();
      if (filled(at).length && empty() >= 0) go(empty());
    }, true);
    form.addEventListener("change", show);
    form.addEventListener("trump", show);
    show();
  }

  // Two sums and what they make; a colour whose points are known from the cards fills in the plus.
  function count(form) {
    const [plus, minus_] = ["plus", "minus"].map(name => $('[name="' + name + '"]', form)), net = $(".net", form);
    const total = text => /^[0-9]+(\+[0-9]+)*$/.test(text) ? text.split("+").reduce((sum, part) => sum + Number(part), 0) : null;
    function show() {
      const sums = [plus, minus_].map(input => total(input.value)), points = sums[0] - sums[1];
      net.textContent = sums.includes(null) ? "" : sums[0] + " − " + sums[1] + " = " + String(points).replace("-", "−");
      net.classList.toggle("doubt", sums.some(sum => sum > Number(net.dataset.most)));
    }
    all("[data-fill]", form).forEach(button => button.addEventListener("click", () => {
      plus.value = button.dataset.fill;
      form.classList.add("typing");
      show();
    }));
    form.addEventListener("input", show);
    show();
  }

  // Somebody else went on while this form was in use: say so, take nothing away.
  function late() {
    const enter = document.getElementById("enter"), waiting = document.getElementById("waiting"), notice = enter && $("[data-late]", enter);
    if (notice && waiting) notice.hidden = !enter.matches(".held") || enter.dataset.trick === waiting.dataset.trick;
  }

  function enliven(root) {
    const each = (name, make) => all("[data-lab-" + name + "]", root).forEach(part => {
      const made = "data-made-" + name;
      if (part.hasAttribute(made)) return;
      part.setAttribute(made, "");
      make(part);
    });
    each("minus", minus); each("trump", trump); each("who", who); each("cards", cards); each("count", count);
    all(".lab .lab-plain", root).forEach(part => { part.hidden = true; });
    late();
    showBooked();
  }
  enliven(document);
  document.addEventListener("region", event => enliven(event.target));
})();
