"use strict";
// What makes the page more than text: stepping through the map, writing orders, searching, computing dice anew.
(async function () {
  const by = (id) => document.getElementById(id);
  const data = JSON.parse(by("data").textContent);

  // The drawings are packed. A browser that cannot unpack them shows the last one.
  data.moments = data.pieces = [];
  async function unpack() {
    const bytes = Uint8Array.from(atob(data.packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    Object.assign(data, JSON.parse(await new Response(stream).text()));
  }
  try { await unpack(); } catch (fault) { console.info("no earlier maps: " + fault); }

  // The map, moment by moment, or another drawing in its place: that of a battle's board. Each moment has the parts that are other
  // than in the one before on the same drawing.
  let now = data.moments.length - 1;
  const drawing = by("drawing");
  const sheets = drawing ? [...drawing.querySelectorAll(".sheet")] : [];
  function partsAt(moment) {
    const parts = {}, { sheet } = data.moments[moment];
    for (let at = 0; at <= moment; at++) if (data.moments[at].sheet === sheet) Object.assign(parts, data.moments[at].parts);
    return parts;
  }
  function show(moment) {
    now = Math.max(0, Math.min(data.moments.length - 1, moment));
    const parts = partsAt(now);
    for (const sheet of sheets) sheet.hidden = Number(sheet.dataset.sheet) !== data.moments[now].sheet;
    const on = sheets.find((sheet) => !sheet.hidden) || drawing;
    on.querySelectorAll("[data-part]").forEach((group) => {
      const number = parts[group.dataset.part];
      const svg = number === undefined ? "" : data.pieces[number];
      // The drawing is this file's own: it was made with all names escaped.
      if (group.innerHTML !== svg) group.innerHTML = svg;
    });
    nameplaces();
    const { label, n, news } = data.moments[now];
    by("moment").textContent = label + " (" + (now + 1) + " of " + data.moments.length + ")";
    by("slider").value = now;
    by("slider").setAttribute("aria-valuetext", label);
    by("first").disabled = by("back").disabled = now === 0;
    by("on").disabled = by("last").disabled = now === data.moments.length - 1;
    const list = by("news");
    list.replaceChildren(...news.map((line) => { const item = document.createElement("li"); item.textContent = line; return item; }));
    by("news-box").hidden = news.length === 0;
    const entries = [...document.querySelectorAll(".entry")].filter((entry) => entry.id);
    // The newest stands first: the last one that is later than the moment, or else the newest.
    const near = entries.filter((entry) => Number(entry.dataset.n) > n).pop() || entries[0];
    by("to-story").hidden = !near;
    if (near) by("to-story").href = "#" + near.id;
    if (pinned) tell(pinned);
  }

  // Places of the map are buttons: they show the options that name them.
  const options = [...document.querySelectorAll(".option")];
  const places = drawing ? [...drawing.querySelectorAll(".place")] : [];
  function nameplaces() {
    for (const place of places) {
      const title = place.querySelector("title");
      if (title) place.setAttribute("aria-label", title.textContent);
    }
    rove(seen().includes(stop) ? stop : seen()[0]);
  }
  // The areas of a drawing are one stop of the Tab key; arrow keys go from one to the next in their direction.
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const seen = () => places.filter((place) => !place.closest("[hidden]"));
  let stop = null;
  function rove(place) {
    if (stop) stop.setAttribute("tabindex", "-1");
    stop = place;
    if (stop) stop.setAttribute("tabindex", "0");
  }
  function next(from, [right, down]) {
    const middle = (place) => {
      const box = place.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const place of seen()) {
      const [left, top] = middle(place);
      const ahead = (left - x) * right + (top - y) * down, aside = Math.abs((left - x) * down) + Math.abs((top - y) * right);
      const far = ahead + 2 * aside;
      if (ahead > 1 && far < least) [best, least] = [place, far];
    }
    return best;
  }
  const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const names = (place) => [place.dataset.name, place.dataset.at].filter(Boolean).map(plain);
  const spoken = (text, name) => (" " + plain(text) + " ").includes(" " + name + " ");
  function filter(place) {
    const wanted = place ? names(place) : [];
    let shown = 0;
    for (const option of options) {
      const fits = !place || wanted.some((name) => spoken(option.dataset.order, name));
      option.closest("li").hidden = !fits;
      shown += fits ? 1 : 0;
    }
    by("filter-line").hidden = !place;
    if (place) by("filter-name").textContent = place.dataset.name + " (" + shown + ")";
  }

  // An area says who is there and what could be done there: under the pointer, or once it is tapped or chosen by key.
  const areas = drawing ? [...drawing.querySelectorAll("[data-area]")] : [];
  let pinned = null;
  function placeAt(element) {
    const face = element.closest && element.closest(".place, [data-area]");
    return face && (face.dataset.area === undefined ? face : places.find((place) => place.dataset.at === face.dataset.area && !place.closest("[hidden]")));
  }
  function tell(place) {
    const title = place.querySelector("title");
    const [, pieces] = (title ? title.textContent : "").match(/: (.*)$/s) || [];
    by("here-name").textContent = place.dataset.name + ":";
    by("here-pieces").textContent = pieces || "nothing";
    const wanted = names(place);
    const fit = options.filter((option) => wanted.some((name) => spoken(option.dataset.order, name)));
    by("here-options").replaceChildren(...fit.map((option) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = option.dataset.order;
      button.addEventListener("click", () => choose(option));
      return button;
    }));
    for (const area of areas) area.classList.toggle("lit", area.dataset.area === place.dataset.at);
  }
  function activate(place) {
    pinned = place;
    tell(place);
    if (options.length) filter(place);
  }

  // Orders: lines that are held against the options of this page.
  const orders = by("orders");
  const listed = new Map(options.map((option) => [plain(option.dataset.order), option.dataset.order]));
  const lines = () => orders.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const { complete } = data;
  function check() {
    const list = by("checked");
    const rows = lines().map((line) => {
      const item = document.createElement("li");
      if (listed.has(plain(line))) item.textContent = "listed: " + line;
      else {
        item.className = "doubt";
        item.textContent = (complete ? "no answer that is listed: " : "not listed, so read it once more: ") + line;
      }
      return item;
    });
    list.replaceChildren(...rows);
    const chosen = new Set(lines().map(plain));
    for (const option of options) option.setAttribute("aria-pressed", chosen.has(plain(option.dataset.order)));
    const mail = by("mail");
    const ready = data.answer && lines().length > 0;
    mail.setAttribute("aria-disabled", ready ? "false" : "true");
    if (ready) {
      mail.href = "mailto:" + encodeURIComponent(data.answer.to).replace(/%40/g, "@") + "?subject=" + encodeURIComponent(data.answer.subject) + "&body=" + encodeURIComponent(lines().join("\r\n") + "\r\n");
    } else mail.removeAttribute("href");
  }
  // A question has one answer, unless one mail may answer it several times; what ends an action stands last. An answer chosen
  // again is removed.
  function choose(option) {
    const question = option.closest(".question"), words = option.dataset.order;
    const own = new Map([...question.querySelectorAll(".option")].map((other) => [plain(other.dataset.order), other]));
    const chosen = (line) => own.has(plain(line)), ends = (line) => chosen(line) && "ends" in own.get(plain(line)).dataset;
    const again = lines().some((line) => plain(line) === plain(words));
    const several = "several" in question.dataset;
    const stays = lines().filter((line) => !(chosen(line) && !several) && plain(line) !== plain(words));
    const now = again ? stays : "ends" in option.dataset ? [...stays.filter((line) => !ends(line)), words]
      : [...stays.filter((line) => !ends(line)), words, ...stays.filter(ends)];
    orders.value = now.map((line) => line + "\n").join("");
    check();
    by("said").textContent = (again ? "Removed: " : "Added: ") + words;
  }

  // Dice: SHA-256 and ChaCha20, as docs/journal-format.md has them.
  function sha256(text) {
    const K = [], H = [];
    const root = (prime, power) => Math.floor((Math.pow(prime, power) % 1) * 4294967296);
    for (let number = 2; K.length < 64; number++) {
      let prime = true;
      for (let by = 2; by * by <= number; by++) if (number % by === 0) prime = false;
      if (!prime) continue;
      if (H.length < 8) H.push(root(number, 1 / 2) | 0);
      K.push(root(number, 1 / 3) | 0);
    }
    const bytes = [...new TextEncoder().encode(text)];
    const bits = bytes.length * 8;
    bytes.push(128);
    while (bytes.length % 64 !== 56) bytes.push(0);
    for (let at = 7; at >= 0; at--) bytes.push(Math.floor(bits / Math.pow(256, at)) & 255);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let from = 0; from < bytes.length; from += 64) {
      const w = [];
      for (let at = 0; at < 16; at++) w[at] = (bytes[from + 4 * at] << 24) | (bytes[from + 4 * at + 1] << 16) | (bytes[from + 4 * at + 2] << 8) | bytes[from + 4 * at + 3];
      for (let at = 16; at < 64; at++) {
        const a = turn(w[at - 15], 7) ^ turn(w[at - 15], 18) ^ (w[at - 15] >>> 3);
        const b = turn(w[at - 2], 17) ^ turn(w[at - 2], 19) ^ (w[at - 2] >>> 10);
        w[at] = (w[at - 16] + a + w[at - 7] + b) | 0;
      }
      let [a, b, c, d, e, f, g, h] = H;
      for (let at = 0; at < 64; at++) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + w[at]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => { H[at] = (H[at] + word) | 0; });
    }
    return H.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
  }
  const hash = (...fields) => sha256(fields.map((field) => field + "\n").join(""));
  const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  function words(seed) {
    const key = [];
    for (let at = 0; at < 8; at++) {
      const b = seed.slice(4 * at, 4 * at + 4);
      key[at] = b[0] | (b[1] << 8) | (b[2] << 16) | (b[3] << 24);
    }
    let block = 0, left = [];
    const turn = (x, n) => (x << n) | (x >>> (32 - n));
    return function () {
      if (!left.length) {
        const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, block++, 0, 0, 0];
        const s = start.slice();
        const quarter = (a, b, c, d) => {
          s[a] = (s[a] + s[b]) | 0; s[d] = turn(s[d] ^ s[a], 16); s[c] = (s[c] + s[d]) | 0; s[b] = turn(s[b] ^ s[c], 12);
          s[a] = (s[a] + s[b]) | 0; s[d] = turn(s[d] ^ s[a], 8); s[c] = (s[c] + s[d]) | 0; s[b] = turn(s[b] ^ s[c], 7);
        };
        for (let round = 0; round < 10; round++) {
          quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
          quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
        }
        left = s.map((word, at) => (word + start[at]) >>> 0);
      }
      return left.shift();
    };
  }
  function prove(thrown) {
    if (base64url(hash("postrider/link/v1", "dice", thrown.link)) !== thrown.tip) return "The secret does not hash to the one before it.";
    const next = words(hash("postrider/roll/v1", data.game, String(thrown.i), thrown.link, data.luck));
    for (const roll of thrown.rolls) {
      const faces = roll.high - roll.low + 1;
      const most = 4294967296 - (4294967296 % faces);
      for (const got of roll.got) {
        let word = next();
        while (word >= most) word = next();
        if (roll.low + (word % faces) !== got) return "The dice come out otherwise: " + (roll.low + (word % faces)) + " for " + got + ".";
      }
    }
    return "Proved: computed here from the secret and the luck phrases, the dice are the same.";
  }

  // Turns are folded: what a link or a search leads to is unfolded.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const turn = target && target.closest(".turn");
    if (turn && !turn.open) {
      turn.open = true;
      target.scrollIntoView();
    }
  }

  // The size of the map, and the whole window for it.
  let large = 1;
  // The middle of what is seen stays where it is.
  function resize(by_what) {
    const view = drawing;
    const middle = [(view.scrollLeft + view.clientWidth / 2) / view.scrollWidth, (view.scrollTop + view.clientHeight / 2) / view.scrollHeight];
    large = Math.max(1, Math.min(6, large * by_what));
    drawing.style.setProperty("--large", large);
    view.scrollTo(middle[0] * view.scrollWidth - view.clientWidth / 2, middle[1] * view.scrollHeight - view.clientHeight / 2);
  }
  function whole(on) {
    document.body.classList.toggle("whole", on);
    by("whole").setAttribute("aria-pressed", on);
  }

  // A page from a web server: the stream next to it tells of new entries.
  function live() {
    const stream = new EventSource("events");
    stream.onmessage = (event) => {
      if (Number(event.data) <= data.head) return;
      stream.close();
      const unfolded = [...document.querySelectorAll(".turn")].some((turn, at) => at > 0 && turn.open);
      const busy = unfolded || large > 1 || by("search").value || now < data.moments.length - 1 || document.body.classList.contains("whole");
      if (busy) by("news-line").hidden = false;
      else location.reload();
    };
    // A server that has no room for another stream is asked again.
    stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) setTimeout(live, 60000); };
  }

  // Searching the story.
  function search() {
    const wanted = plain(by("search").value);
    let count = 0;
    for (const chapter of document.querySelectorAll(".chapter")) {
      let any = false;
      for (const entry of chapter.querySelectorAll(".entry")) {
        const fits = !wanted || plain(entry.textContent).includes(wanted) || (chapter.querySelector("h3") && plain(chapter.querySelector("h3").textContent).includes(wanted));
        entry.hidden = !fits;
        any = any || fits;
        count += fits ? 1 : 0;
      }
      chapter.hidden = !any;
    }
    document.querySelectorAll(".turn").forEach((turn, at) => {
      turn.hidden = !turn.querySelector(".chapter:not([hidden])");
      turn.open = wanted ? !turn.hidden : at === 0;
    });
    by("found").textContent = wanted ? count + (count === 1 ? " entry" : " entries") : "";
  }

  if (drawing && data.moments.length) {
    by("steps").hidden = false;
    by("slider").max = data.moments.length - 1;
    by("slider").addEventListener("input", () => show(Number(by("slider").value)));
    by("first").addEventListener("click", () => show(0));
    by("back").addEventListener("click", () => show(now - 1));
    by("on").addEventListener("click", () => show(now + 1));
    by("last").addEventListener("click", () => show(data.moments.length - 1));
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: data.moments.length - 1 };
      if (event.key in steps) { show(steps[event.key]); event.preventDefault(); }
    });
    by("larger").addEventListener("click", () => resize(1.5));
    by("smaller").addEventListener("click", () => resize(1 / 1.5));
    by("whole").addEventListener("click", () => whole(!document.body.classList.contains("whole")));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") whole(false); });
    show(now);
  }
  if (drawing) {
    nameplaces();
    by("here").hidden = false;
    for (const svg of drawing.querySelectorAll("svg")) {
      svg.setAttribute("role", "toolbar");
      svg.style.setProperty("--ratio", svg.viewBox.baseVal.width / svg.viewBox.baseVal.height);
    }
    for (const place of places) {
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", place === stop ? "0" : "-1");
      place.addEventListener("focus", () => { rove(place); tell(place); });
      place.addEventListener("keydown", (event) => {
        const there = event.key in arrows && !event.altKey && !event.ctrlKey && !event.metaKey && next(place, arrows[event.key]);
        if (event.key === "Enter" || event.key === " ") activate(place);
        else if (there) there.focus();
        else if (!(event.key in arrows)) return;
        event.preventDefault();
        event.stopPropagation();
      });
    }
    drawing.addEventListener("click", (event) => { const place = placeAt(event.target); if (place) activate(place); });
    drawing.addEventListener("pointerover", (event) => { const place = placeAt(event.target); if (place) tell(place); });
    drawing.addEventListener("pointerleave", () => { if (pinned) tell(pinned); });
  }
  if (options.length) {
    by("answer").hidden = false;
    by("mail").hidden = !data.answer;
    options.forEach((option) => option.addEventListener("click", () => choose(option)));
    orders.addEventListener("input", check);
    by("filter-off").addEventListener("click", () => filter(null));
    by("clear").addEventListener("click", () => { orders.value = ""; check(); by("said").textContent = "Cleared."; });
    by("copy").addEventListener("click", () => {
      orders.select();
      const done = document.execCommand("copy");
      by("said").textContent = done ? "Copied." : "Select the lines and copy them.";
    });
    check();
  }
  by("searching").hidden = false;
  by("search").addEventListener("input", search);
  for (const box of document.querySelectorAll(".dice")) {
    box.addEventListener("toggle", () => {
      const proof = box.querySelector(".proof");
      if (box.open && !proof.textContent) proof.textContent = prove(data.dice[proof.dataset.n][Number(proof.dataset.at)]);
    });
  }
  addEventListener("hashchange", unfold);
  unfold();
  if ("live" in document.body.dataset && window.EventSource) live();
})();
