// Only The Academy: a rule that cannot go with "no trump", the purple 7 as last card, what the purple 7 says about the Rebel.
(() => {
  "use strict";
  const $ = (selector, root) => root.querySelector(selector), all = (selector, root) => [...root.querySelectorAll(selector)];
  const strike = (part, why) => { part.classList.toggle("struck", !!why); if (why) part.dataset.why = why; else delete part.dataset.why; };
  const tell = (form, text) => { const place = $(".told", form); place.textContent = text; place.hidden = !text; };

  // Trump first, then the rule; without a trump there is only one rule.
  function exam(form) {
    const rules = $(".aca-rules", form), buttons = all("button", rules);
    const trump = () => $("[name=trump]:checked", form);
    function show() {
      const none = trump() && !trump().value;
      buttons.forEach(button => strike(button, none && button.value !== rules.dataset.trumpless ? rules.dataset.none : ""));
      form.classList.toggle("typing", !!trump());
      tell(form, "");
    }
    buttons.forEach(button => button.addEventListener("click", event => {
      if (button.dataset.why) return event.preventDefault();
      if (trump() || button.value === rules.dataset.trumpless) return;
      event.preventDefault(); tell(form, rules.dataset.first);
    }));
    form.addEventListener("change", show);
    show();
  }

  // The last free place of eight known tricks is the purple 7's, where nobody has shown it.
  function ace(form) {
    const own = form.dataset.aceCard, others = all("[data-pick]:not(.struck)", form).filter(button => button.dataset.pick !== own);
    form.addEventListener("picked", event => {
      const { chosen } = event.detail, due = chosen.filter(Boolean).length === chosen.length - 1 && !chosen.includes(own);
      others.forEach(button => strike(button, due && !chosen.includes(button.dataset.pick) ? form.dataset.ace : ""));
    });
  }

  // All cards are tapped in the order of play; then the Mastermind's may have been laid over the exam: it leaves the trick.
  function covers(form) {
    const inputs = all("[data-slot] input", form), own = inputs[Number(form.dataset.covers)], others = inputs.filter(input => input !== own);
    const over = $(".aca-over", form), as = $("[name='cover.as']", over), buttons = all("[data-cover]", over);
    function name(covered) {
      as.disabled = !covered;
      (covered ? others : inputs).forEach((input, n) => { input.name = "cards." + n; });
      if (covered) own.name = "cover.card";
    }
    form.addEventListener("picked", event => {
      over.hidden = !event.detail.complete;
      buttons.forEach(button => strike(button, own.value === form.dataset.aceCard ? over.dataset.never : ""));
    });
    buttons.forEach(button => button.addEventListener("click", event => { if (button.dataset.why) event.preventDefault(); else name(true); }));
    $("[data-done]", form).addEventListener("click", () => name(false));
    over.hidden = !inputs.every(input => input.value);
  }

  // A covered trick is won by a tap: not before the card is there.
  function waits(form) {
    const show = () => all("[name=winner]", form).forEach(button => { button.disabled = !$('[name="cover.card"]', form).value; });
    form.addEventListener("picked", show);
    show();
  }

  // Whoever has the purple 7 has purple: then the Rebel's third colour may be certain.
  function end(form) {
    const no = $('[name=rebel][value="false"]', form), yes = $('[name=rebel][value="true"]', form), fixed = no.disabled;
    form.addEventListener("change", () => {
      form.classList.add("typing");
      const chosen = $("[name=ace]:checked", form), why = chosen && chosen.dataset.surely;
      if (fixed) return;
      strike(no.parentElement, why); no.disabled = !!why;
      if (why) yes.checked = true;
    });
  }

  // Somebody else went on while a form was in use: say so, take nothing away.
  function late() {
    const enter = document.getElementById("enter"), waiting = document.getElementById("waiting"), notice = enter && $("[data-late]", enter);
    if (notice && waiting) notice.hidden = !enter.matches(".held") || enter.dataset.step === waiting.dataset.step;
  }

  function enliven(root) {
    const each = (selector, make) => all(selector, root).forEach(part => { if (!part.dataset.academy) { part.dataset.academy = 1; make(part); } });
    each("[data-aca-exam]", exam); each("form[data-ace]", ace); each("form[data-covers]", covers); each("form.aca-waits", waits); each("[data-aca-end]", end);
    late();
  }
  enliven(document);
  document.addEventListener("region", event => enliven(event.target));
})();
