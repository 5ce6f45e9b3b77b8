// Crazy Race: cards of an edge in the order laid, and the tiles of a finished race, one tap each. Without script there are links and selects.
(() => {
  "use strict";
  const $ = (selector, root) => root.querySelector(selector), all = (selector, root) => [...root.querySelectorAll(selector)];
  const make = (tag, more = {}) => Object.assign(document.createElement(tag), more);

  function tell(form, words) {
    const place = $(".told", form);
    place.textContent = words; place.hidden = !words;
  }

  // The sums decide, among equals the first card at the edge; the server says it again with its reasons.
  function best(laid) {
    const sums = new Map();
    laid.forEach(([seat, card]) => sums.set(seat, (sums.get(seat) || 0) + card));
    const sum = Math.max(0, ...sums.values()), equal = [...sums.keys()].filter(seat => sums.get(seat) === sum);
    return { sums, sum, winner: equal[0], tie: equal.length > 1 };
  }

  function bids(form) {
    const list = $("[data-laid]", form), empty = $("[data-empty]", list), verdict = $("[data-verdict]", form);
    const done = $("[data-done]", form), skip = $("[data-skip]", form);
    const rows = all("[data-seat]", form), row = seat => rows.find(each => Number(each.dataset.seat) === seat);
    let laid = (list.dataset.typed || "").split(" ").filter(Boolean).map(each => JSON.parse(each));
    const count = (seat, card) => laid.filter(each => each[0] === seat && (card === undefined || each[1] === card)).length;
    const left = (seat, button) => Number(button.dataset.left) - count(seat, Number(button.dataset.card));
    const room = seat => Number(row(seat).dataset.room) - count(seat);

    function chip([seat, card], n) {
      const item = make("li"), button = make("button", { type: "button", className: "laid-card crew-" + seat, title: row(seat).dataset.name });
      button.append(make("small", { textContent: row(seat).dataset.initials }), make("b", { textContent: card }));
      button.setAttribute("aria-label", row(seat).dataset.name + " " + card + " ✕");
      button.addEventListener("click", () => { laid.splice(n, 1); show(); });
      item.append(button, make("input", { type: "hidden", name: form.dataset.bids === "a" ? "a" : "cards." + n, value: JSON.stringify([seat, card]) }));
      return item;
    }
    function show() {
      const { sums, sum, winner, tie } = best(laid);
      list.replaceChildren(...(laid.length ? laid.map(chip) : [empty]));
      rows.forEach(each => {
        const seat = Number(each.dataset.seat);
        $("[data-sum]", each).textContent = sums.has(seat) ? "= " + sums.get(seat) : "";
        each.classList.toggle("ahead", seat === winner);
        all("[data-card]", each).forEach(button => {
          const copies = left(seat, button);
          $("[data-copies]", button).textContent = copies > 1 ? "×" + copies : "";
          button.classList.toggle("struck", copies < 1 || room(seat) < 1);
        });
      });
      verdict.textContent = laid.length ? verdict.dataset[tie ? "tie" : "wins"].replace("{name}", row(winner).dataset.name).replace("{sum}", sum) : "";
      done.disabled = !laid.length;
      if (skip) skip.disabled = !$("[data-card]:not(.struck)", form);
    }
    rows.forEach(each => each.addEventListener("click", event => {
      const button = event.target.closest("[data-card]"), seat = Number(each.dataset.seat);
      if (!button) return;
      const free = left(seat, button) > 0;
      tell(form, !free ? button.dataset.gone : room(seat) < 1 ? each.dataset.full : "");
      if (free && room(seat) > 0) { laid.push([seat, Number(button.dataset.card)]); show(); }
    }));
    show();
  }

  // Tiles: tapped into everybody's pile; no value more than twice at the table.
  function finals(form) {
    const owners = all("[data-owner]", form), value = select => select.value, most = Number($(".told", form).dataset.most);
    function show() {
      const given = all(".plain-tiles select", form).map(value).filter(Boolean);
      owners.forEach(owner => {
        const selects = all(".plain-tiles select", owner), own = selects.map(value).filter(Boolean);
        selects.forEach((select, n) => { select.value = own[n] || ""; });
        $("[data-sum]", owner).textContent = own.length ? "= " + own.reduce((sum, tile) => sum + Number(tile), 0) : "";
        $("[data-pile]", owner).replaceChildren(...own.map((tile, n) => {
          const button = make("button", { type: "button", className: "point-button" });
          button.append(make("b", { className: "point", textContent: tile }), make("small", { textContent: "✕" }));
          button.addEventListener("click", () => { selects[n].value = ""; show(); });
          return button;
        }));
        all("[data-tile]", owner).forEach(button => button.classList.toggle("struck", given.filter(tile => tile === button.dataset.tile).length >= most));
      });
      form.classList.toggle("typing", given.length > 0);
    }
    owners.forEach(owner => {
      $(".plain-tiles", owner).hidden = true; $(".tap-tiles", owner).hidden = $("[data-pile]", owner).hidden = false;
      $(".tap-tiles", owner).addEventListener("click", event => {
        const button = event.target.closest("[data-tile]"), free = all(".plain-tiles select", owner).find(select => !select.value);
        if (!button) return;
        const struck = button.classList.contains("struck");
        tell(form, struck ? $(".told", form).dataset.onlyTwo.replace("{tile}", button.dataset.tile) : "");
        if (!struck && free) { free.value = button.dataset.tile; show(); }
      });
    });
    show();
  }

  function enliven(root) {
    const each = (selector, start) => all(selector, root).forEach(form => { if (!form.dataset.ready) { form.dataset.ready = 1; start(form); } });
    each("form[data-bids]", bids); each("form[data-finals]", finals);
  }
  enliven(document);
  document.addEventListener("region", event => enliven(event.target));
})();
