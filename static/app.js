// The page's own script: live regions, the state of the line, the keypad, seats by tapping. Everything works without it, too.
(() => {
  "use strict";
  const body = document.body, line = document.getElementById("line");
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // ---- regions: never backwards, never under the finger ------------------------------------------------------------
  const began = Number(body.dataset.tick || 0), ticks = {}, tickOf = id => ticks[id] || began;  // of each region: what is older than it stays away
  let newest = began;  // that the page has heard of
  const inUse = region => region.hasAttribute("data-busy") || region.contains(document.activeElement) && /INPUT|SELECT/.test(document.activeElement.tagName) || !!$(".typing, .htmx-request", region);
  const busy = region => !region.hasAttribute("data-done") && inUse(region);  // what was answered is in nobody's hands any more

  const parse = html => new DOMParser().parseFromString(html, "text/html").body;
  const asDrawn = part => part.outerHTML.replace(/name="csrf_token" value="[^"]*"| data-still=""/g, "");
  const known = new Map();  // every region as the server drew it: what is the same is left alone
  const learn = (root, at) => all("main section[id], body > section[id]", root).forEach(region => {
    known.set(region.id, asDrawn(region));
    if (at) ticks[region.id] = at;
  });

  function place(id, html, at) {
    const old = document.getElementById(id);
    if (!old) return;
    const fresh = parse(html).firstElementChild;
    if (!fresh || at < tickOf(id)) return;
    if (asDrawn(fresh) === known.get(id)) { ticks[id] = at; return; }
    if (busy(old)) return hold(old, html, at);
    waiting.delete(id);
    known.set(id, asDrawn(fresh));
    ticks[id] = at;
    const words = folds => all(folds, old).map(summary => summary.textContent), opened = words("details[open] > summary"), folded = words("details[data-fold]:not([open]) > summary");
    const back = remember(old), still = stand(old);
    old.replaceWith(fresh);
    all("details", fresh).forEach(each => { const said = each.firstElementChild.textContent; if (opened.includes(said)) each.open = true; else if (folded.includes(said)) each.open = false; });
    still(fresh);
    settle(fresh, isAnswer(id));
    back(fresh);
  }

  // What means the same as before and is where it was may be tapped at once; everything else is deaf for a moment.
  function stand(region) {
    const found = part => all("button, .button", part).map(each => [each, asDrawn(each.form || each) + asDrawn(each), each.getBoundingClientRect()]), before = found(region);
    const near = (one, other) => Math.abs(one.top - other.top) + Math.abs(one.left - other.left) < 8;
    return fresh => found(fresh).forEach(([each, said, at]) => each.toggleAttribute("data-still", before.some(old => old[1] === said && near(old[2], at))));
  }

  // The focus stays on the same control when its region is drawn again; where that is gone, on the region. A field would keep the region from being drawn.
  const mark = control => [control.tagName, control.name, control.value, control.getAttribute("aria-label") || control.textContent].join();
  const twins = (control, region) => all("a, button, summary", region).filter(each => mark(each) === mark(control));
  function remember(region) {
    const focused = document.activeElement, at = twins(focused, region).indexOf(focused);
    if (focused === body || !region.contains(focused)) return () => {};
    return fresh => {
      if (fresh.id !== region.id) return;
      const found = twins(focused, fresh), control = found.find(each => each.href === focused.href) || found[at] || fresh;
      if (control === fresh) fresh.tabIndex = -1;
      control.focus({ preventScroll: true });
    };
  }

  let answered = null;  // the region that an entry of this phone leads to, until it is there
  function isAnswer(id) {
    const so = answered !== null && answered.id === id && tickOf(id) >= answered.at;
    if (so) answered = null;
    return so;
  }
  const told = (region, answer) => region.dispatchEvent(new CustomEvent("region", { bubbles: true, detail: answer }));
  const waiting = new Map();  // the newest of a region that is in use: it stays as it is, and may say that others went on …
  function hold(region, html, at) { waiting.set(region.id, [html, at]); region.classList.add("held"); told(region); }
  const letGo = () => setTimeout(() => {  // … until it is let go
    if (!finger) waiting.forEach(([html, at], id) => { const region = document.getElementById(id); if (!region || !busy(region)) { waiting.delete(id); show({ [id]: html }, at); } });
  });
  addEventListener("focusout", letGo);

  function settle(region, answer) {
    region.classList.add("fresh");
    setTimeout(() => region.classList.remove("fresh"), 300);
    if (window.htmx) htmx.process(region);
    enliven(region);
    clearTimeout(hear); hear = setTimeout(announce, 150);
    told(region, answer);
  }

  // Nothing comes while a finger is on the glass: some browsers drop a tap whose button was replaced. A lifted one that nobody told us of counts for three seconds.
  let finger = 0;
  const later = [];
  const lift = () => { clearTimeout(finger); finger = 0; later.splice(0).forEach(take); letGo(); };
  addEventListener("pointerdown", () => { clearTimeout(finger); finger = setTimeout(lift, 3000); }, true);
  ["pointerup", "pointercancel"].forEach(name => addEventListener(name, () => { if (finger) setTimeout(lift, 50); }, true));  // after the click that follows

  function take(message) {
    if (finger) return later.push(message);
    newest = Math.max(newest, message.tick);
    if (body.dataset.reload && message.regions[body.dataset.reload] && $("#" + body.dataset.reload) === null && seen++ > 0) return location.reload();
    show(message.regions, message.tick);
  }
  function show(regions, at) {
    const before = highs(regions);
    for (const [id, html] of Object.entries(regions)) place(id, html, at);
    const after = highs(regions), grown = Object.keys(before).filter(id => Math.abs(after[id] - before[id]) > 40);
    new Set(grown.flatMap(id => all(`#${id} ~ *`))).forEach(appear);
  }
  const highs = regions => Object.fromEntries(Object.keys(regions).map(id => [id, document.getElementById(id)]).filter(each => each[1]).map(([id, region]) => [id, region.offsetHeight]));
  function appear(part) {  // another question takes another room: what is below fades in at its new place instead of jumping there
    if (part.contains(document.activeElement)) return;  // what cannot be seen loses the focus
    part.classList.add("moved");
    setTimeout(() => part.classList.remove("moved"), 300);
  }
  let seen = 0;

  // ---- what is new is said once, in one place: an entry with its verdict, a dispute, what is to be done and by whom ----------------
  function spoken(part) {
    const copy = part.cloneNode(true);
    all("[aria-hidden]", copy).forEach(each => each.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  }
  const words = selector => all(selector).map(spoken).join(" ");
  let hear = 0, heard = null;
  function news() {
    const entry = $("#story .story a"), own = all("#waiting .ring li")[body.dataset.own];
    const turn = own && own.matches(".leads, .next") ? body.dataset.turn + " " : "";
    return { n: entry ? Number(entry.pathname.split("/").pop()) : 0, entry: words("#story .story li:first-child .note"),
      asked: words("#dispute .dispute > summary, #claims .claim .big, #enter .earlier"), now: turn + all("#enter h1, #enter h2").slice(0, 1).map(spoken) };
  }
  function announce() {
    const before = heard, place = $("#announce");
    heard = news();
    if (!before || !place) return;
    const entered = heard.n > before.n || heard.n === before.n && heard.entry !== before.entry;  // after an undo, what was said before is not said again
    const said = [entered && heard.entry, heard.asked !== before.asked && heard.asked, heard.now !== before.now && heard.now].filter(Boolean);
    heard.n = Math.max(heard.n, before.n);
    if (!said.length) return;
    place.append(Object.assign(document.createElement("p"), { textContent: said.join(" ") }));
    if (place.children.length > 3) place.firstElementChild.remove();
  }

  // ---- the line: one stream while the page is visible, a poll as safety net ------------------------------------------
  let stream = null, since = 0, alarm = 0, again = 0, wait = 500;
  const state = name => {
    clearTimeout(alarm); alarm = 0;
    if (!line) return;
    line.hidden = false; line.dataset.state = name; line.textContent = line.dataset[name];
  };
  const lost = () => { if (!alarm && line && line.dataset.state !== "unsaved") alarm = setTimeout(() => state("lost"), 3000); };

  function open() {
    if (!body.dataset.live || document.hidden || stream && stream.readyState !== 2) return;
    clearTimeout(again);
    stream = new EventSource(body.dataset.live); since = Date.now();
    stream.addEventListener("regions", event => { wait = 500; state("live"); take(JSON.parse(event.data)); resend(); });
    stream.addEventListener("bye", () => {  // sent away at once: too many windows of one person, which take turns then
      const pause = Date.now() - since < 10000 ? 5000 : 0;
      close(); again = setTimeout(() => check(pause), 200);
    });
    stream.onerror = () => { lost(); close(); again = setTimeout(open, wait); wait = Math.min(wait * 2, 1500); };
  }
  function close() { if (stream) stream.close(); stream = null; }
  const soon = () => window.AbortSignal && AbortSignal.timeout ? { signal: AbortSignal.timeout(5000) } : {};
  const check = (pause = 0) => fetch(body.dataset.now, soon()).then(answer => {
    if (answer.status === 403 || answer.status === 404) return location.reload();
    return answer.ok ? answer.json().then(message => { if (message.tick > newest) close(); take(message); again = setTimeout(open, pause); }) : open();
  }).catch(() => { lost(); close(); again = setTimeout(open, wait); });

  if (body.dataset.live && window.EventSource) {
    open();
    document.addEventListener("visibilitychange", () => document.hidden ? close() : (close(), open()));
    addEventListener("pageshow", event => { if (event.persisted) { close(); open(); } });
    addEventListener("online", () => { close(); open(); });
    addEventListener("offline", () => { lost(); });
    addEventListener("pagehide", close);
    setInterval(() => { if (!document.hidden) check(); }, 25000);
  }

  // ---- forms: what was typed is never lost ---------------------------------------------------------------------------
  let unsent = null;
  const failed = event => {
    const { elt, requestConfig } = event.detail;
    unsent = { form: elt, button: requestConfig.triggeringEvent && requestConfig.triggeringEvent.submitter };
    state("unsaved"); again = setTimeout(open, wait);
  };
  ["htmx:sendError", "htmx:timeout"].forEach(name => document.addEventListener(name, failed));
  document.addEventListener("htmx:responseError", () => state("unsaved"));
  const saysTick = xhr => Number(xhr.getResponseHeader("X-Tick") || 0);
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {  // a refusal is shown in what stands there now
    if (!detail.target.isConnected) detail.target = document.getElementById(detail.target.id) || detail.target;
  });
  document.addEventListener("htmx:beforeSwap", ({ detail: { xhr, target, shouldSwap } }) => {
    if (shouldSwap) { learn(parse(xhr.responseText), saysTick(xhr)); waiting.delete(target.id); back = remember(target); }
  });
  let back = () => {};
  document.addEventListener("htmx:afterSettle", event => { settle(event.detail.elt, true); back(event.detail.elt); });

  // What was booked comes over the stream, as to everybody; where that is not open, or silent, the page asks.
  document.addEventListener("htmx:afterRequest", ({ detail: { xhr, elt, target } }) => {
    const form = elt.closest("section[id]"), region = form && document.getElementById(form.id), at = saysTick(xhr), notice = $("#notice");
    if (xhr.status === 204) {
      if (notice) notice.textContent = "";
      answered = { id: target.id, at };
      if (!waiting.has(target.id) && isAnswer(target.id)) told(document.getElementById(target.id), true);  // the stream was quicker
      if (region && !$(".htmx-request", region)) { region.dataset.done = ""; known.delete(region.id); }  // else another form of it awaits its answer
      if (!stream || stream.readyState !== 1) check(); else setTimeout(() => { if (newest < at) check(); }, 1000);
    }
    letGo();
  });
  function resend() {
    if (!unsent) return;
    const { form, button } = unsent; unsent = null;
    if (form.tagName !== "FORM") document.dispatchEvent(new CustomEvent("again"));  // a script asked for it
    else if (form.isConnected && button && button.isConnected) button.click();  // it says what was meant
    else if (form.isConnected) form.requestSubmit();
  }
  addEventListener("online", resend);

  // ---- the keypad ------------------------------------------------------------------------------------------------------
  const total = text => /^-?[0-9]+([+-][0-9]+)*[+-]?$/.test(text) ? text.match(/[+-]?[0-9]+/g).reduce((sum, part) => sum + Number(part), 0) : null;

  function keypad(form) {
    const inputs = all(".number input", form), keys = $(".keys", form), done = $("[data-next]", form), net = $(".net", form);
    const label = done.textContent;
    let now = inputs.find(input => !input.value) || inputs[0], over = inputs.map(() => true);
    keys.hidden = false;
    inputs.forEach(input => { input.readOnly = true; input.addEventListener("click", () => go(input)); });
    form.addEventListener("keydown", event => {  // a real keyboard types, too
      const key = !event.ctrlKey && !event.metaKey && !event.altKey && all("[data-key]", keys).find(each => each.dataset.key === (event.key === "Backspace" ? "back" : event.key));
      if (!key) return;
      event.preventDefault();
      if (event.target !== now && inputs.includes(event.target)) go(event.target);
      key.click();
    });
    function go(input) { now = input; over[inputs.indexOf(input)] = true; show(); }
    function show() {
      inputs.forEach(input => input.parentElement.classList.toggle("now", input === now));
      const rest = inputs.some(input => input !== now && !input.value);
      done.textContent = rest && now.value ? done.dataset.next : label;
      form.classList.toggle("typing", inputs.some(input => input.value !== input.defaultValue));
      letGo();
      if (net) {
        const [plus, minus = 0] = inputs.map(input => total(input.value));
        const points = plus === null || minus === null ? null : plus - minus, before = Number(net.dataset.total);
        net.textContent = points === null ? "" : `${sign(points)} · ${signed(before)} → ${signed(before + points)}`;
      }
    }
    const signed = number => String(number).replace("-", "−"), sign = number => (number >= 0 ? "+" : "") + signed(number);
    keys.addEventListener("click", event => {
      const key = event.target.dataset.key, at = inputs.indexOf(now);
      if (!key) return;
      if (key === "back") now.value = now.value.slice(0, -1);
      else if ("+-".includes(key)) now.value = now.value.replace(/[+-]$/, "") + key;
      else if (now.value.length < 40) now.value = (over[at] ? "" : now.value) + key;
      over[at] = false;
      show();
    });
    form.addEventListener("submit", event => {
      const empty = inputs.find(input => !input.value);
      if (!empty) return;
      event.preventDefault(); event.stopImmediatePropagation(); go(empty);
    }, true);
    done.addEventListener("click", event => {
      const empty = inputs.find(input => !input.value);
      if (empty && now.value) { event.preventDefault(); go(empty); }
    });
    show();
  }

  // ---- seats in the order they are tapped --------------------------------------------------------------------------------
  function order(field) {
    const hidden = $("[name=order]", field), boxes = all("input[type=checkbox]", field);
    let seats = hidden.value ? hidden.value.split(",") : boxes.filter(box => box.checked).map(box => box.value);
    const show = () => {
      hidden.value = seats.join(",");
      boxes.forEach(box => { $(".place", box.parentElement).textContent = box.checked ? seats.indexOf(box.value) + 1 : ""; });
    };
    boxes.forEach(box => box.addEventListener("change", () => {
      seats = seats.filter(seat => seat !== box.value);
      if (box.checked) seats.push(box.value);
      show();
    }));
    show();
  }

  // ---- small things --------------------------------------------------------------------------------------------------------
  function countdown(place) {
    const go = place.textContent;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    [3, 2, 1].forEach((number, step) => setTimeout(() => { place.textContent = number; }, step * 700));
    setTimeout(() => { place.textContent = go; if (navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) navigator.vibrate(120); }, 2100);
  }
  function enliven(root) {
    all("form[data-keypad]", root).concat(root.matches && root.matches("form[data-keypad]") ? [root] : []).forEach(form => { if (!form.dataset.ready) { form.dataset.ready = 1; keypad(form); } });
    all("[data-order]", root).forEach(order);
    all("[data-countdown]", root).forEach(countdown);
    all("[data-again]", root).forEach(() => setInterval(() => fetch(location.href, soon()).then(answer => { if (answer.redirected) location.replace(answer.url); }).catch(() => {}), 2000));
    all("[data-after]", root).forEach(hint => setTimeout(() => hint.classList.add("shown"), Number(hint.dataset.after) * 1000));
  }
  learn(document);
  enliven(document);
  heard = news();
})();
