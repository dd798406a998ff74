"use strict";
// The page's machinery: columns with views, selections that light up in all of them, search, keys, paper.
// What the views show is in the other files beside this one. Text enters the document as text only, never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function el(tag, style, ...children) {
  const made = document.createElement(tag);
  if (style) made.className = style;
  made.append(...children);
  return made;
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ---- what belongs together

const state = {
  part: 0, stage: 0, diff: false, allStages: false, graph: null, layer: "", home: true,
  pin: null, hover: null, hits: [], hit: -1, open: new Set(),
};
const index = { own: [], via: [], hue: [] }; // by place: operations of the line, operations called from it, its colour

const part = () => data.parts[state.part];

function indexPlaces() {
  index.own = data.places.map(() => []);
  index.via = data.places.map(() => []);
  part().ops.forEach(([, own, via], op) => {
    for (const place of own) index.own[place].push(op);
    for (const place of via) index.via[place].push(op);
  });
  let count = 0;
  index.hue = data.places.map((_, place) => (index.own[place].length ? (count++ * 47 + 205) % 360 : -1));
}

function hueOf(ops, place) {
  if (place >= 0) return index.hue[place];
  for (const op of ops) for (const own of part().ops[op][1]) return index.hue[own];
  return -1;
}

// A selection: operations and places that it is about (`ops`, `places`), and those near them.
function selection(link) {
  const made = { link, ops: new Set(link.ops), places: new Set(), near: new Set(), callers: new Set() };
  if (link.place >= 0) {
    made.places.add(link.place);
    for (const op of [...index.own[link.place], ...index.via[link.place]]) made.ops.add(op);
    return made;
  }
  for (const op of link.ops) {
    for (const place of part().ops[op][1]) made.places.add(place);
    for (const place of part().ops[op][2]) made.callers.add(place);
  }
  if (link.ops.length === 1) for (const place of made.places) for (const op of index.own[place]) made.near.add(op);
  return made;
}

let painted = [];

function paint() {
  for (const node of painted) node.classList.remove("on", "near", "pinned");
  painted = [];
  const put = (nodes, ...styles) => {
    for (const node of nodes || []) {
      node.classList.add(...styles);
      painted.push(node);
    }
  };
  for (const chosen of [state.pin, state.hover]) {
    if (!chosen) continue;
    const strong = chosen === state.pin ? ["on", "pinned"] : ["on"];
    for (const pane of panes) {
      for (const op of chosen.near) put(pane.byOp.get(op), "near");
      for (const place of chosen.callers) put(pane.byPlace.get(place), "near");
      for (const op of chosen.ops) put(pane.byOp.get(op), ...strong);
      for (const place of chosen.places) put(pane.byPlace.get(place), ...strong);
    }
  }
  tell(state.hover || state.pin);
}

function tell(chosen) {
  const status = $("status");
  status.replaceChildren();
  if (!chosen) {
    status.append("Point at a line to see what it became; click to keep it. Press ? for keys.");
    return;
  }
  const names = new Map();
  for (const op of chosen.ops) {
    const [name] = part().ops[op];
    if (!["constant", "group", "yield"].includes(name)) names.set(name, (names.get(name) || 0) + 1);
  }
  const shown = [...names].slice(0, 9).map(([name, count]) => (count > 1 ? `${name} × ${count}` : name));
  if (names.size > 9) shown.push("…");
  const places = [...chosen.places].slice(0, 6).map(place => data.places[place]);
  const callers = [...chosen.callers].slice(0, 4).map(place => data.places[place]);
  status.append(el("b", "", places.join(", ") || "no line"), callers.length ? ` from ${callers.join(", ")}` : "");
  const nothing = chosen.link.place >= 0 && !chosen.ops.size ? "no operation of this program" : "";
  if (shown.length || nothing) status.append(" · ", shown.join(", ") || nothing);
  const layers = new Set([...chosen.ops].flatMap(op => part().ops[op][3]));
  if (layers.size && layers.size < 4) status.append(" · ", [...layers].map(layer => part().layers[layer]).join(", "));
  if (chosen.link.note) status.append(" · ", chosen.link.note);
}

// ---- columns

class Pane {
  constructor(id, title, views) {
    this.root = $(id);
    this.title = title;
    this.views = views;
    this.view = views[0];
    this.tabs = el("div", "tabs");
    this.tabs.setAttribute("role", "tablist");
    this.tabs.setAttribute("aria-label", title);
    this.bar = el("div", "stages");
    this.body = el("div", "body");
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "region");
    this.root.append(this.tabs, this.bar, this.body);
    this.reset();
    this.body.addEventListener("mouseover", event => this.pointed(event.target));
    this.body.addEventListener("mouseleave", () => hover(null));
    this.body.addEventListener("click", event => this.clicked(event.target));
    this.body.addEventListener("keydown", event => this.key(event));
    this.tabs.addEventListener("keydown", event => this.turn(event));
  }

  reset() {
    this.links = [];
    this.byOp = new Map();
    this.byPlace = new Map();
    this.cursor = -1;
  }

  shown() {
    return this.views.filter(view => view.has());
  }

  // Make a node part of the linking. `ops` are operations, `place` a line of the user, `note` is for the status line.
  link(node, ops, place = -1, note = "") {
    node.dataset.link = this.links.length;
    node.classList.add("linked");
    this.links.push({ node, ops, place, note });
    const put = (map, key) => (map.get(key) || map.set(key, []).get(key)).push(node);
    for (const op of ops) put(this.byOp, op);
    if (place >= 0) put(this.byPlace, place);
    return node;
  }

  draw() {
    const views = this.shown();
    if (!views.includes(this.view)) this.view = views[0];
    this.tabs.replaceChildren(
      ...views.map(view => {
        const tab = el("button", "", view.name);
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-selected", view === this.view);
        tab.tabIndex = view === this.view ? 0 : -1;
        tab.addEventListener("click", () => this.show(view));
        return tab;
      }),
    );
    this.body.setAttribute("aria-label", this.view.name);
    this.reset();
    this.bar.replaceChildren();
    this.body.replaceChildren();
    this.view.draw(this);
    this.bar.hidden = !this.bar.childNodes.length;
    this.bar.style.display = this.bar.hidden ? "none" : "";
    paint();
  }

  // Draw again, and stay where the reader is.
  redraw() {
    const { scrollTop, scrollLeft } = this.body;
    this.draw();
    Object.assign(this.body, { scrollTop, scrollLeft });
    if (this === panes[panes.length - 1]) search($("query").value, false);
  }

  show(view) {
    this.view = view;
    this.body.scrollTop = 0;
    this.draw();
    if (state.pin) this.reveal(state.pin);
    search($("query").value, false);
  }

  turn(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const views = this.shown();
    this.show(views[(views.indexOf(this.view) + step + views.length) % views.length]);
    this.tabs.querySelector("[aria-selected=true]").focus();
    event.preventDefault();
  }

  linkAt(target) {
    const node = target.closest("[data-link]");
    return node && this.body.contains(node) ? this.links[node.dataset.link] : null;
  }

  pointed(target) {
    const link = this.linkAt(target);
    for (const node of this.body.querySelectorAll(".same")) node.classList.remove("same");
    if (target.classList.contains("v")) {
      for (const node of this.body.querySelectorAll(".v")) {
        if (node.textContent === target.textContent) node.classList.add("same");
      }
    }
    hover(link);
  }

  clicked(target) {
    const link = this.linkAt(target);
    if (!link || String(getSelection())) return;
    if (this.cursor >= 0) this.links[this.cursor].node.classList.remove("current");
    this.cursor = this.links.indexOf(link);
    pin(state.pin && state.pin.link === link ? null : link, this);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && this.cursor >= 0) {
      const link = this.links[this.cursor];
      pin(state.pin && state.pin.link === link ? null : link, this);
    } else if (step && !this.body.querySelector("#graph")) {
      if (this.cursor >= 0) this.links[this.cursor].node.classList.remove("current");
      this.cursor = Math.min(Math.max(this.cursor + step, 0), this.links.length - 1);
      if (this.cursor < 0) return;
      const { node } = this.links[this.cursor];
      node.classList.add("current");
      node.scrollIntoView({ block: "nearest", inline: "nearest" });
      hover(this.links[this.cursor]);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (this.body.querySelector("#graph") || event.shiftKey) return;
      const views = this.shown();
      this.show(views[(views.indexOf(this.view) + (event.key === "ArrowRight" ? 1 : -1) + views.length) % views.length]);
    } else return;
    event.preventDefault();
  }

  // Bring the first thing that a selection lights up into view, unless one is in view.
  reveal(chosen) {
    const nodes = [];
    for (const op of chosen.ops) nodes.push(...(this.byOp.get(op) || []));
    for (const place of chosen.places) nodes.push(...(this.byPlace.get(place) || []));
    if (!nodes.length) return;
    if (this.view.reveal) return this.view.reveal(this, nodes);
    const frame = this.body.getBoundingClientRect();
    const seen = node => {
      const { top, bottom } = node.getBoundingClientRect();
      return top >= frame.top && bottom <= frame.bottom;
    };
    if (nodes.some(seen)) return;
    const first = nodes.reduce((a, b) => (a.compareDocumentPosition(b) & 2 ? b : a));
    const { top, height } = first.getBoundingClientRect();
    this.body.scrollTop += top - frame.top - (frame.height - height) / 3;
  }
}

function hover(link) {
  state.hover = link ? selection(link) : null;
  paint();
}

function pin(link, from) {
  state.pin = link ? selection(link) : null;
  paint();
  if (state.pin) for (const pane of panes) if (pane !== from) pane.reveal(state.pin);
}

// ---- search

function search(text, jump = true) {
  for (const node of document.querySelectorAll(".hit")) node.classList.remove("hit");
  for (const node of document.querySelectorAll(".current")) node.classList.remove("current");
  const wanted = text.trim().toLowerCase();
  state.hits = [];
  state.hit = -1;
  for (const pane of wanted ? panes : []) {
    for (const { node, note } of pane.links) {
      if (`${node.textContent} ${node.dataset.words || ""} ${note}`.toLowerCase().includes(wanted)) {
        node.classList.add("hit");
        state.hits.push({ node, pane });
      }
    }
  }
  $("graph")?.classList.toggle("searching", Boolean(wanted));
  $("found").value = wanted ? `${state.hits.length} found` : "";
  if (wanted && jump) nextHit(1);
}

function nextHit(step) {
  if (!state.hits.length) return;
  state.hits[state.hit]?.node.classList.remove("current");
  state.hit = (state.hit + step + state.hits.length) % state.hits.length;
  const { node, pane } = state.hits[state.hit];
  node.classList.add("current");
  if (pane.view.reveal) pane.view.reveal(pane, [node]);
  else node.scrollIntoView({ block: "center", inline: "nearest" });
  $("found").value = `${state.hit + 1} of ${state.hits.length}`;
}

// ---- keys, theme, widths, paper

function toggleTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.style.colorScheme || (dark ? "dark" : "light");
  document.documentElement.style.colorScheme = now === "dark" ? "light" : "dark";
}

function setStage(stage, diff = state.diff) {
  state.stage = Math.min(Math.max(stage, 0), part().stages.length - 1);
  state.diff = diff;
  const pane = panes[1];
  const top = pane.body.scrollTop;
  pane.draw();
  pane.body.scrollTop = top;
  if (state.pin) pane.reveal(state.pin);
  search($("query").value, false);
}

// The stage before or after that changed something.
function neighbour(step) {
  let stage = state.stage + step;
  while (!state.allStages && part().stages[stage] && !part().stages[stage].rows.length) stage += step;
  return part().stages[stage] ? stage : state.stage;
}

function setPart(number) {
  state.part = number;
  state.stage = 0;
  state.layer = "";
  state.pin = state.hover = null;
  indexPlaces();
  for (const tab of $("parts").children) tab.setAttribute("aria-selected", tab.dataset.part === String(number));
  for (const pane of panes) pane.draw();
  search($("query").value, false);
}

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inField = event.target.matches("input[type=search]");
  if (event.key === "Escape") {
    if (inField) {
      $("query").value = "";
      search("");
      panes[0].body.focus();
    } else if (!$("keys").open) pin(null);
    return;
  }
  if (inField) {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    return;
  }
  const act = {
    "/": () => $("query").focus(),
    "?": () => $("keys").showModal(),
    "[": () => setStage(neighbour(-1)),
    "]": () => setStage(neighbour(1)),
    d: () => setStage(state.stage, !state.diff),
    t: toggleTheme,
    1: () => panes[0].body.focus(),
    2: () => panes[1].body.focus(),
    3: () => panes[2].body.focus(),
    n: () => nextHit(1),
    N: () => nextHit(-1),
  }[event.key];
  if (act && !$("keys").open) {
    act();
    event.preventDefault();
  }
});

function splitter(handle, name, others) {
  const set = share => document.documentElement.style.setProperty(name, `${Math.min(Math.max(share, 8), 75)}%`);
  const width = () => handle.previousElementSibling.getBoundingClientRect().width;
  const share = pixels => (100 * pixels) / $("source").parentElement.clientWidth;
  handle.addEventListener("pointerdown", event => {
    const start = event.clientX - width();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = move => set(share(move.clientX - start));
    handle.onpointerup = () => (handle.onpointermove = null);
  });
  handle.addEventListener("keydown", event => {
    const step = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
    if (step) set(share(width() + step));
  });
}

// On paper all views stand one below the other.
function layOnPaper() {
  const paper = $("paper");
  const before = [state.part, state.stage, state.diff];
  data.parts.forEach((each, number) => {
    state.part = number;
    state.stage = each.ready;
    state.diff = false;
    indexPlaces();
    if (data.parts.length > 1) paper.append(el("h2", "", each.name));
    for (const pane of panes) {
      for (const view of pane.shown()) {
        if (number && pane === panes[0]) continue;
        const sheet = { body: el("div"), bar: el("div"), link: node => node, isPaper: true };
        view.draw(sheet);
        paper.append(el("h3", "", view.name), sheet.body);
      }
    }
  });
  [state.part, state.stage, state.diff] = before;
  indexPlaces();
}

let panes = [];

function start() {
  $("title").append(data.name, el("small", "", data.kind));
  for (const note of data.notes) $("notes").append(el("li", "", note));
  $("notes").hidden = !data.notes.length;
  if (data.parts.length > 1) {
    data.parts.forEach((each, number) => {
      const tab = el("button", "", each.name);
      tab.setAttribute("role", "tab");
      tab.dataset.part = number;
      tab.addEventListener("click", () => setPart(number));
      $("parts").append(tab);
    });
  } else $("parts").hidden = true;
  panes = columns().map(([id, title, views]) => new Pane(id, title, views));
  $("query").addEventListener("input", event => search(event.target.value));
  $("theme").addEventListener("click", toggleTheme);
  $("help").addEventListener("click", () => $("keys").showModal());
  const [first, second] = document.querySelectorAll(".split");
  splitter(first, "--first");
  splitter(second, "--second");
  drawSummary();
  addEventListener("beforeprint", layOnPaper);
  addEventListener("afterprint", () => $("paper").replaceChildren());
  setPart(0);
}
