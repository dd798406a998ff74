// What the columns show. Each view has a name, `has()` (whether there is anything), and `draw(pane)`.

function columns() {
  return [
    ["source", "Source", [SOURCE, CONVERTED, LAYERS, CERTIFICATE, VERSIONS]],
    ["program", "Program", [PROGRAM]],
    ["vm", "VM", [STEPS, KERNELS, GRAPH, MEMORY, PROFILE]],
  ];
}

// ---- lines of text

const PYTHON = /(#.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(def|return|if|elif|else|for|while|in|not|and|or|is|lambda|class|with|as|import|from|None|True|False|nonlocal|global|pass|break|continue|yield|try|except|finally|raise|assert|del|range)\b|\b(\d[\w.]*)\b/g;
const IR = /("(?:[^"\\]|\\.)*")|(%[\w.]+)|\b((?:bool|bf16|list|[iufc]\d+)\[[^\]]*\])|(@[\w.]+)/g;
const IR_STYLES = ["s", "v", "t", "k"];
const PYTHON_STYLES = ["c", "s", "k", "t"];

function marked(text, pattern, styles) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > last) parts.push(text.slice(last, found.index));
    parts.push(el("span", styles[found.slice(1).findIndex(group => group !== undefined)], found[0]));
    last = found.index + found[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}

const python = text => marked(text, PYTHON, PYTHON_STYLES);

function ir(text) {
  const head = /^(\s*(?:%[\w.]+(?:, %[\w.]+)* = )?)([a-z_]\w*)/.exec(text);
  if (!head) return marked(text, IR, IR_STYLES);
  const rest = text.slice(head[0].length);
  return [...marked(head[1], IR, IR_STYLES), el("span", "k", head[2]), ...marked(rest, IR, IR_STYLES)];
}

function row(number, parts, { mark, time, title, more, hue = -1, style = "" } = {}) {
  const made = el("div", `row ${style}`, el("span", "no", String(number)));
  if (mark !== undefined) made.append(el("span", `mark ${mark === "▲" ? "opaque" : ""}`, mark));
  if (time !== undefined) made.append(el("span", "time", time));
  made.append(el("span", "text", ...parts));
  if (more) made.append(el("span", "more", more));
  if (title) made.title = title;
  if (hue >= 0) {
    made.classList.add("tinted");
    made.style.setProperty("--hue", hue);
  }
  return made;
}

const count = number => (number === null || number === undefined ? "" : number.toLocaleString("en"));

function bytes(number) {
  if (number === null || number === undefined) return "";
  const units = ["B", "KiB", "MiB", "GiB"];
  let k = 0;
  while (number >= 1024 && k < 3) (number /= 1024), k++;
  return `${k && number < 100 ? number.toFixed(1) : Math.round(number)} ${units[k]}`;
}

const milliseconds = number => (number >= 100 ? number.toFixed(0) : number >= 1 ? number.toFixed(2) : number.toFixed(4));

function amount(number) {
  if (number === null || number === undefined) return "";
  const units = ["", " k", " M", " G", " T"];
  let k = 0;
  while (number >= 1000 && k < 4) (number /= 1000), k++;
  return `${k && number < 100 ? number.toFixed(1) : Math.round(number)}${units[k]}`;
}

function tableOf(heads, rows, numeric = []) {
  const made = el("table");
  const style = k => (numeric.includes(k) ? "n" : ["verdict", "buffer", "type"].includes(heads[k]) ? "m whole" : "m");
  made.append(el("thead", "", el("tr", "", ...heads.map((head, k) => el("th", style(k) === "n" ? "n" : "", head)))));
  const body = el("tbody");
  for (const cells of rows) body.append(el("tr", "", ...cells.map((cell, k) => el("td", style(k), cell ?? ""))));
  made.append(body);
  return made;
}

const empty = (pane, text) => pane.body.append(el("p", "empty", text));

// ---- the user's side

const VERDICTS = { "in program": "●", "evaluated at trace": "○", opaque: "▲", "not taken": "·" };

const SOURCE = {
  name: "Source",
  has: () => true,
  draw(pane) {
    if (!data.routines.length) return empty(pane, "There is no source: the program was loaded or built without one.");
    const verdicts = new Map(data.certificate.rows.map(([place, , , , verdict, detail]) => [place, [verdict, detail]]));
    const timed = Object.keys(data.times).length > 0;
    for (const routine of data.routines) {
      pane.body.append(el("div", "head", el("b", "", routine.name || "lines"), `  ${routine.file}`));
      routine.lines.forEach((text, k) => {
        const place = routine.places[k];
        const [verdict, detail] = verdicts.get(place) || [];
        const made = row(routine.first + k, python(text), {
          mark: VERDICTS[verdict] || "", title: verdict ? `${verdict}${detail ? `: ${detail}` : ""}` : "",
          hue: hueOf([], place), time: !timed ? undefined : place in data.times ? `${milliseconds(data.times[place])} ms` : "",
        });
        pane.body.append(pane.link(made, [], place));
      });
    }
  },
};

const LAYERS = {
  name: "Layers",
  has: () => part().layers.length > 0,
  draw(pane) {
    const { layers, ops } = part();
    const tree = new Map(); // path -> kind, and the operations in it and in what it holds
    const at = path => tree.get(path) || tree.set(path, { kind: "", ops: new Set() }).get(path);
    const paths = layers.map(layer => layer.split(" "));
    for (const [path, kind = ""] of paths) {
      const names = path.split(".");
      names.forEach((_, k) => at(names.slice(0, k + 1).join(".")));
      at(path).kind = kind;
    }
    ops.forEach(([, , , inside], op) => {
      for (const layer of inside) {
        const names = paths[layer][0].split(".");
        names.forEach((_, k) => at(names.slice(0, k + 1).join(".")).ops.add(op));
      }
    });
    for (const path of [...tree.keys()].sort((a, b) => comparePaths(a.split("."), b.split(".")))) {
      const names = path.split(".");
      const { kind, ops: own } = tree.get(path);
      const text = [" ".repeat(2 * (names.length - 1)), names[names.length - 1], el("span", "c", kind ? ` ${kind}` : "")];
      pane.body.append(pane.link(row("", text, { more: `${own.size} operations`, title: `${path} ${kind}` }), [...own]));
    }
  },
};

// Part by part; numbers by size; what holds something before what it holds.
function comparePaths(a, b) {
  for (let k = 0; k < Math.min(a.length, b.length); k++) {
    const order = a[k].localeCompare(b[k], "en", { numeric: true });
    if (order) return order;
  }
  return a.length - b.length;
}

const CONVERTED = {
  name: "Converted",
  has: () => data.routines.some(routine => routine.code.length),
  draw(pane) {
    for (const routine of data.routines) {
      if (!routine.code.length) continue;
      pane.body.append(el("div", "head", el("b", "", routine.name), "  as it was captured"));
      routine.code.forEach((text, k) => {
        const place = routine.codePlaces[k];
        const made = row(k + 1, python(text), { hue: place >= 0 ? hueOf([], place) : -1 });
        pane.body.append(place >= 0 ? pane.link(made, [], place) : made);
      });
    }
  },
};

const CERTIFICATE = {
  name: "Certificate",
  has: () => data.certificate.rows.length > 0,
  draw(pane) {
    const { rows, hash } = data.certificate;
    const kinds = Object.keys(VERDICTS).map(kind => [kind, rows.filter(entry => entry[4] === kind).length]);
    const words = kinds.filter(([, many]) => many).map(([kind, many]) => `${VERDICTS[kind]} ${many} ${kind}`);
    pane.body.append(el("p", "lead", `${rows.length} statements: ${words.join(", ")}. Hash `, el("b", "", hash), "."));
    const made = tableOf(["line", "statement", "verdict", "by"], rows.map(entry => [entry[2], entry[3], entry[4], entry[5]]), [0]);
    pane.body.append(made);
    [...made.tBodies[0].rows].forEach((line, k) => {
      if (rows[k][4] === "opaque") line.cells[2].classList.add("opaque");
      if (rows[k][0] >= 0) pane.link(line, [], rows[k][0]);
    });
  },
};

const VERSIONS = {
  name: "Guards",
  has: () => data.versions.length > 0,
  draw(pane) {
    const many = data.versions.length;
    pane.body.append(el("p", "lead", `${many} program${many > 1 ? "s" : ""}; this page shows the one that was made or looked up last.`));
    const rows = data.versions.map(([number, args, reason, seconds]) => [`#${number}`, args, reason, `${seconds.toFixed(2)} s`]);
    pane.body.append(tableOf(["", "arguments", "why it was made", "made in"], rows, [3]));
    for (const [number, , , , guards] of data.versions) {
      pane.body.append(el("p", "lead", guards.length ? `#${number} holds while` : `#${number} depends on nothing but its arguments.`));
      if (guards.length) pane.body.append(tableOf(["guard"], guards.map(guard => [guard])));
    }
  },
};

// ---- the program, stage by stage

const rowsOf = stage => {
  const found = [];
  const { rows } = part().stages[stage];
  for (let k = 0; k < rows.length; k += 2) found.push({ text: part().texts[rows[k]], op: rows[k + 1] });
  return found;
};

// The stage whose text a stage has: its own, or the last one that changed anything.
function standing(stage) {
  while (stage > 0 && !part().stages[stage].rows.length) stage--;
  return stage;
}

// Values keep their names from stage to stage, so a line that defines one is known by its text; others by their operation.
const keyOf = ({ text, op }) => (text.trimStart().startsWith("%") ? text.trim() : `${op} ${text.trim()}`);

// Lines of `after` marked as the same, added or moved, with those of `before` that went, in their places.
function differences(before, after) {
  const where = new Map(before.map((line, k) => [keyOf(line), k]));
  const pairs = [];
  after.forEach((line, k) => where.has(keyOf(line)) && pairs.push([where.get(keyOf(line)), k]));
  const kept = longestRise(pairs);
  const stays = new Set(after.map(keyOf));
  const out = [];
  let i = 0;
  let j = 0;
  for (const [a, b] of [...kept, [before.length, after.length]]) {
    for (; i < a; i++) if (!stays.has(keyOf(before[i]))) out.push({ ...before[i], change: "del" });
    for (; j < b; j++) out.push({ ...after[j], change: where.has(keyOf(after[j])) ? "moved" : "add" });
    if (b < after.length) out.push({ ...after[j], change: "" });
    i = a + 1;
    j = b + 1;
  }
  return out;
}

// The longest subsequence of pairs in which the first numbers rise (patience sorting).
function longestRise(pairs) {
  const piles = [];
  const previous = [];
  pairs.forEach(([a], k) => {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[piles[middle]][0] < a) low = middle + 1;
      else high = middle;
    }
    previous[k] = low ? piles[low - 1] : -1;
    piles[low] = k;
  });
  const kept = [];
  for (let k = piles.length ? piles[piles.length - 1] : -1; k >= 0; k = previous[k]) kept.push(pairs[k]);
  return kept.reverse();
}

const CONTEXT = 3; // lines around a change that are shown

const PROGRAM = {
  name: "Program",
  has: () => true,
  draw(pane) {
    const { stages } = part();
    stages.forEach((stage, k) => {
      const same = !stage.rows.length;
      const button = el("button", same ? "same" : "", stage.name);
      button.setAttribute("aria-pressed", k === state.stage);
      button.title = same ? "changed nothing" : `${stage.ms} ms`;
      if (k && !same) {
        if (!stage.counts) {
          const changes = differences(rowsOf(standing(k - 1)), rowsOf(k));
          const many = kind => changes.filter(line => line.change === kind).length;
          stage.counts = `+${many("add")} −${many("del")}`;
        }
        button.append(el("span", "counts", stage.counts));
      }
      button.addEventListener("click", () => setStage(k));
      pane.bar.append(button);
    });
    const box = el("input");
    box.type = "checkbox";
    box.id = "diff";
    box.checked = state.diff;
    box.addEventListener("change", () => setStage(state.stage, box.checked));
    pane.bar.append(el("label", "", box, "what changed"));
    if (state.diff && state.stage) this.changes(pane);
    else rowsOf(standing(state.stage)).forEach((line, k) => this.line(pane, line, k + 1));
  },
  line(pane, { text, op, change = "" }, number) {
    const ops = op >= 0 ? [op] : [];
    const mark = { add: "+", del: "−", moved: "↕" }[change];
    const made = row(number, ir(text), { hue: hueOf(ops, -1), style: change, mark });
    pane.body.append(op >= 0 ? pane.link(made, ops) : made);
  },
  changes(pane) {
    if (!part().stages[state.stage].rows.length) {
      return empty(pane, `${part().stages[state.stage].name} changed nothing here.`);
    }
    const lines = differences(rowsOf(standing(state.stage - 1)), rowsOf(state.stage));
    let number = 0;
    for (const line of lines) if (line.change !== "del") line.number = ++number;
    const near = new Uint8Array(lines.length);
    lines.forEach((line, k) => line.change && near.fill(1, Math.max(k - CONTEXT, 0), k + CONTEXT + 1));
    for (let k = 0; k < lines.length; k++) {
      if (near[k] || state.open.has(`${state.stage}.${k}`)) {
        this.line(pane, { ...lines[k], change: lines[k].change || " " }, lines[k].number ?? "");
        continue;
      }
      let end = k;
      while (end < lines.length && !near[end]) end++;
      const made = row("", [`⋯ ${end - k} lines as before`], { style: "fold" });
      const first = k;
      made.addEventListener("click", () => {
        for (let open = first; open < end; open++) state.open.add(`${state.stage}.${open}`);
        setStage(state.stage);
      });
      pane.body.append(made);
      k = end - 1;
    }
  },
};

// ---- the VM

// How deep in loops each step stands, from the jumps that go back.
function depths(steps) {
  const place = new Map();
  steps.forEach((step, k) => step.kind === "label" && place.set(step.text.slice(0, -1), k));
  const deep = new Array(steps.length).fill(0);
  steps.forEach((step, k) => {
    const back = step.kind === "jump" ? place.get(step.text.split(" ")[1]) : undefined;
    for (let inner = (back ?? k) + 1; inner < k; inner++) deep[inner]++;
  });
  return deep;
}

const stepOps = step => step.ops || (step.op === undefined ? [] : [step.op]);

// The operations behind one line of a step's kernel; for kernels of one operation that one.
function lineOps(step, line) {
  if (!step.lines) return line ? stepOps(step) : [];
  return step.lines[line] >= 0 ? [step.lines[line]] : [];
}

function kernelLines(pane, kernel, step, indent) {
  kernel.lines.forEach((text, k) => {
    const ops = lineOps(step, k);
    const made = row("", [indent, ...python(text)], { hue: ops.length ? hueOf(ops, -1) : -1, style: "kernel" });
    pane.body.append(ops.length ? pane.link(made, ops) : made);
  });
}

const STEPS = {
  name: "Machine",
  has: () => true,
  draw(pane) {
    const { steps, kernels } = part();
    const deep = depths(steps);
    const length = steps.reduce((sum, step) => sum + (step.kernel === undefined ? 1 : kernels[step.kernel].lines.length), 0);
    const native = steps.filter(step => step.kind !== "python").length;
    const sizes = Object.entries(part().sizes).map(([name, size]) => `${name} = ${size}`);
    const where = sizes.length ? ` Figures are for ${sizes.join(", ")}.` : "";
    pane.body.append(el("p", "lead", `${steps.length} steps, ${native === steps.length ? "all native" : `${steps.length - native} in Python`}; ${kernels.length} kernels.${where}`));
    steps.forEach((step, k) => {
      const indent = "  ".repeat(deep[k]) + (step.kind === "label" ? "" : "  ");
      const isKernel = step.kernel !== undefined;
      const key = `step ${state.part}.${k}`;
      const open = isKernel && (pane.isPaper ? false : length <= 300 !== state.open.has(key));
      const parts = [indent, isKernel ? el("span", "twist", open ? "▾ " : "▸ ") : "", ...marked(step.text, IR, IR_STYLES)];
      const moved = step.reads === undefined || step.reads === null ? "" : `${bytes(step.reads)} → ${bytes(step.writes)}`;
      const more = isKernel || step.kind === "gemm" ? `${amount(step.work)} ops, ${moved}` : moved;
      const style = `step ${{ label: "quiet", jump: "quiet", hold: "quiet", python: "opaque" }[step.kind] || ""}`;
      const made = row(k, parts, { hue: hueOf(stepOps(step), -1), more, style, title: step.text });
      pane.body.append(step.op === undefined ? made : pane.link(made, stepOps(step), -1, step.text));
      if (!isKernel) return;
      made.querySelector(".twist").addEventListener("click", event => {
        state.open.has(key) ? state.open.delete(key) : state.open.add(key);
        const top = pane.body.scrollTop;
        pane.draw();
        pane.body.scrollTop = top;
        event.stopPropagation();
      });
      if (open) kernelLines(pane, kernels[step.kernel], step, `${indent}    `);
    });
  },
};

const KERNELS = {
  name: "Kernels",
  has: () => part().kernels.length > 0,
  draw(pane) {
    const { kernels, steps } = part();
    const used = kernels.map(() => []);
    for (const step of steps) if (step.kernel !== undefined) used[step.kernel].push(step);
    const sum = (list, key) => list.reduce((total, step) => total + (step[key] ?? 0), 0);
    const order = kernels.map((_, k) => k).sort((a, b) => sum(used[b], "work") - sum(used[a], "work"));
    for (const k of order) {
      const moved = sum(used[k], "reads") + sum(used[k], "writes");
      const work = sum(used[k], "work");
      const facts = [`${amount(work)} ops`, bytes(moved), moved ? `${(work / moved).toFixed(2)} ops per byte` : ""];
      const head = el("div", "head", el("b", "", kernels[k].name), `  ${used[k].length > 1 ? `${used[k].length} steps, ` : ""}${facts.join(", ")}`);
      if (kernels[k].reason) head.append(` – fused: ${kernels[k].reason}`);
      if (!kernels[k].runs) head.append(" – not compiled yet");
      const ops = used[k].flatMap(stepOps);
      pane.body.append(pane.link(head, ops));
      kernels[k].lines.forEach((text, number) => {
        const own = [...new Set(used[k].flatMap(step => lineOps(step, number)))];
        const made = row(number + 1, python(text), { hue: own.length ? hueOf(own, -1) : -1 });
        pane.body.append(own.length ? pane.link(made, own) : made);
      });
    }
    const { apart } = part();
    if (!apart.length) return;
    pane.body.append(el("p", "lead", "What fusion left in kernels of their own, and by which rule:"));
    const made = tableOf(["maker", "reader", "rule", "why"], apart.map(([, maker, reader, rule, why, edit]) => [maker, reader, rule, edit ? `${why}; ${edit}` : why]));
    [...made.tBodies[0].rows].forEach((line, k) => apart[k][0] >= 0 && pane.link(line, [], apart[k][0]));
    pane.body.append(made);
  },
};

// ---- pictures

const GRAPH = {
  name: "Graph",
  has: () => part().graphs.length > 0,
  draw(pane) {
    const { graphs } = part();
    const number = Math.min(state.graph, graphs.length - 1);
    const graph = graphs[number];
    const view = svg("g", {});
    for (const [x, y, width, height, op, title] of graph.frames) {
      const made = svg("g", { class: "box frameBox" });
      const rect = svg("rect", { x, y, width, height, rx: 6, class: "frame" });
      const label = svg("text", { x: x + 10, y: y + 16 }, title);
      label.style.textAnchor = "start";
      made.append(rect, label);
      view.append(op >= 0 ? pane.link(made, [op]) : made);
    }
    for (const points of graph.edges) view.append(svg("path", { class: "edge", d: curve(points) }));
    for (const [x, y, width, height, kind, op, ...lines] of graph.boxes) {
      const made = svg("g", { class: `box ${kind}` }, svg("rect", { x, y, width, height, rx: 5 }));
      lines.forEach((line, k) => made.append(svg("text", { x: x + width / 2, y: y + 17 + 16 * k }, line)));
      made.at = [x + width / 2, y + height / 2];
      view.append(op >= 0 ? pane.link(made, [op]) : made);
    }
    if (pane.isPaper) {
      if (graph.boxes.length > 150) return empty(pane, "The graph is too large for paper.");
      const sheet = svg("svg", { viewBox: `0 0 ${graph.width} ${graph.height}`, width: graph.width, class: "graph" }, view);
      pane.body.append(sheet);
      return;
    }
    const picture = svg("svg", { id: "graph", role: "img", "aria-label": "graph of the program" }, view);
    pane.body.append(picture);
    pane.camera = new Camera(picture, view, graph);
    const zoom = [["+", 1.25], ["−", 0.8], ["0", 0]].map(([sign, by]) => {
      const button = el("button", "", sign === "0" ? "⤢" : sign);
      button.title = sign === "0" ? "Fit (0)" : `Zoom (${sign})`;
      button.addEventListener("click", () => (by ? pane.camera.zoom(by) : pane.camera.fit()));
      return button;
    });
    const stages = graphs.length < 2 ? [] : graphs.map(({ name }, k) => {
      const button = el("button", "wide", name);
      button.setAttribute("aria-pressed", k === number);
      button.addEventListener("click", () => ((state.graph = k), pane.draw(), search($("query").value, false)));
      return button;
    });
    pane.body.append(el("div", "legend", ...stages, ...zoom));
    pane.body.onkeydown = event => pane.view === GRAPH && pane.camera.key(event);
  },
  reveal: (pane, nodes) => pane.camera.centre(nodes.find(node => node.at)),
};

function curve([x, y, ...rest]) {
  let path = `M${x},${y}`;
  for (let k = 0; k < rest.length; k += 2) {
    const [toX, toY] = [rest[k], rest[k + 1]];
    const middle = (y + toY) / 2;
    path += toX === x ? ` L${toX},${toY}` : ` C${x},${middle} ${toX},${middle} ${toX},${toY}`;
    [x, y] = [toX, toY];
  }
  return path;
}

class Camera {
  constructor(picture, view, graph) {
    Object.assign(this, { picture, view, graph });
    this.fit();
    picture.addEventListener("wheel", event => {
      event.preventDefault();
      const frame = picture.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - frame.left, event.clientY - frame.top);
    }, { passive: false });
    picture.addEventListener("pointerdown", event => {
      const from = [event.clientX - this.x, event.clientY - this.y];
      const move = moved => {
        picture.classList.add("moving");
        this.put(this.scale, moved.clientX - from[0], moved.clientY - from[1]);
      };
      const stop = () => {
        picture.classList.remove("moving");
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", stop);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", stop);
    });
  }

  put(scale, x, y) {
    Object.assign(this, { scale, x, y });
    this.view.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
  }

  size() {
    return [this.picture.clientWidth || 600, this.picture.clientHeight || 400];
  }

  // The whole width, if that leaves the text legible; the top of it in any case.
  fit() {
    const [width, height] = this.size();
    const whole = Math.min(width / this.graph.width, height / this.graph.height);
    const scale = Math.min(1, Math.max(whole, Math.min(0.55, width / this.graph.width), 0.12));
    const y = this.graph.height * scale < height ? (height - this.graph.height * scale) / 2 : 0;
    this.put(scale, (width - this.graph.width * scale) / 2, y);
  }

  zoom(by, x = this.size()[0] / 2, y = this.size()[1] / 2) {
    const scale = Math.min(Math.max(this.scale * by, 0.03), 4);
    const ratio = scale / this.scale;
    this.put(scale, x - (x - this.x) * ratio, y - (y - this.y) * ratio);
  }

  centre(node) {
    if (!node) return;
    const [width, height] = this.size();
    const scale = Math.max(this.scale, 0.6);
    this.put(scale, width / 2 - node.at[0] * scale, height / 2 - node.at[1] * scale);
  }

  key(event) {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (step) this.put(this.scale, this.x + step[0], this.y + step[1]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}

const MEMORY = {
  name: "Memory",
  has: () => part().memory !== null,
  draw(pane) {
    const { memory } = part();
    const share = memory.total ? `${Math.round((100 * memory.peak) / memory.total)} %` : "";
    pane.body.append(el("p", "lead", "One arena of ", el("b", "", bytes(memory.peak)), ` for ${memory.buffers.length} buffers; each in memory of its own would take ${bytes(memory.total)} (${share}). No plan can be smaller than ${bytes(memory.bound)}, the most that is alive at once.`));
    const width = Math.max((pane.body.clientWidth || 760) - 32, 320);
    const height = 320;
    const left = 64;
    const x = step => left + ((width - left - 8) * step) / memory.steps;
    const y = offset => 8 + ((height - 88) * offset) / Math.max(memory.peak, 1);
    const label = (at, down, anchor, text) => svg("text", { x: at, y: down, "text-anchor": anchor }, text);
    const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": "memory over steps" });
    chart.append(svg("path", { class: "axis", d: `M${left},8 V${y(memory.peak)} H${width - 8}`, fill: "none" }));
    for (const part_ of [0, 0.5, 1]) chart.append(label(left - 6, y(memory.peak * part_) + 4, "end", bytes(memory.peak * part_)));
    memory.buffers.forEach(([name, type, size, offset, first, last, op], k) => {
      const wide = Math.max(x(last + 1) - x(first), 1);
      const tall = Math.max(y(offset + size) - y(offset), 1.2);
      const bar = svg("g", { class: "bar" }, svg("rect", { x: x(first).toFixed(1), y: y(offset).toFixed(1), width: wide.toFixed(1), height: tall.toFixed(1) }));
      bar.append(svg("title", {}, `${name}: ${type}, ${bytes(size)}, steps ${first}–${last}`));
      if (tall > 13 && wide > 7 * name.length + 8) bar.append(label(x(first) + 4, y(offset) + 12, "start", name));
      const hue = op >= 0 ? hueOf([op], -1) : -1;
      bar.style.setProperty("--hue", hue >= 0 ? hue : (k * 47) % 360);
      bar.dataset.words = type;
      chart.append(op >= 0 ? pane.link(bar, [op], -1, `${name}: ${type}, ${bytes(size)}`) : bar);
    });
    const live = new Array(memory.steps).fill(0);
    for (const [, , size, , first, last] of memory.buffers) for (let k = first; k <= last && k < live.length; k++) live[k] += size;
    const ground = height - 18;
    const up = size => (ground - (48 * size) / Math.max(memory.peak, 1)).toFixed(1);
    let path = `M${left},${ground}`;
    live.forEach((size, k) => (path += ` V${up(size)} H${x(k + 1).toFixed(1)}`));
    chart.append(svg("path", { class: "live", d: `${path} V${ground} Z` }), label(left - 6, ground, "end", "alive"));
    chart.append(label(left, height - 4, "start", "step 0"), label(width - 8, height - 4, "end", `step ${memory.steps - 1}`));
    pane.body.append(chart, el("p", "lead", "Across: the VM's steps. Down: addresses. Below: bytes alive at each step."));
    const rows = memory.buffers.map(([name, type, size, offset, first, last]) => [name, type, count(size), count(offset), `${first}–${last}`]);
    const made = tableOf(["buffer", "type", "bytes", "offset", "steps"], rows, [2, 3, 4]);
    [...made.tBodies[0].rows].forEach((line, k) => memory.buffers[k][6] >= 0 && pane.link(line, [memory.buffers[k][6]]));
    pane.body.append(made);
  },
};

const PROFILE = {
  name: "Profile",
  has: () => Boolean(part().profile),
  draw(pane) {
    const { steps, profile } = part();
    const rows = profile.steps.map(([number, calls, seconds]) => {
      const { work = 0, reads = 0, writes = 0, ...step } = steps[number];
      return { number, calls, seconds, work: work * calls, moved: (reads + writes) * calls, ...step };
    });
    rows.sort((a, b) => b.seconds - a.seconds);
    const all = rows.reduce((sum, entry) => sum + entry.seconds, 0);
    pane.body.append(el("p", "lead", `${milliseconds(all * 1e3)} ms in ${rows.length} steps, longest first. The line is what this machine can do at most.`));
    pane.body.append(this.roofline(pane, rows, profile.roof));
    const cells = rows.map(({ seconds, calls, work, moved, text }) => [
      text, count(calls), milliseconds(seconds * 1e3), `${((100 * seconds) / all).toFixed(1)} %`,
      work ? (work / seconds / 1e9).toFixed(1) : "", moved ? (moved / seconds / 1e9).toFixed(1) : "",
    ]);
    const made = tableOf(["step", "calls", "ms", "share", "Gop/s", "GB/s"], cells, [1, 2, 3, 4, 5]);
    [...made.tBodies[0].rows].forEach((line, k) => pane.link(line, stepOps(rows[k])));
    pane.body.append(made);
  },
  // Operations per second over operations per byte, both on logarithmic scales; a dot's area is its time.
  roofline(pane, rows, [arithmetic, products, bandwidth]) {
    const dots = rows.filter(entry => entry.work && entry.moved && entry.seconds);
    const width = Math.max((pane.body.clientWidth || 760) - 32, 320);
    const height = 260;
    const across = dots.map(entry => entry.work / entry.moved);
    const up = [...dots.map(entry => entry.work / entry.seconds), products];
    const [left, right] = [Math.min(0.1, ...across) / 1.5, Math.max(products / bandwidth, ...across) * 3];
    const [low, high] = [Math.min(...up) / 2, Math.max(...up) * 2];
    const x = value => 64 + ((width - 74) * Math.log(value / left)) / Math.log(right / left);
    const y = value => height - 26 - ((height - 40) * Math.log(value / low)) / Math.log(high / low);
    const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": "roofline" });
    chart.append(svg("path", { class: "axis", d: `M64,8 V${height - 26} H${width - 8}`, fill: "none" }));
    for (let power = Math.ceil(Math.log10(low)); power <= Math.log10(high); power++) {
      chart.append(svg("text", { x: 58, y: y(10 ** power) + 4, "text-anchor": "end" }, `${amount(10 ** power)}op/s`));
    }
    for (let power = Math.ceil(Math.log10(left)); power <= Math.log10(right); power++) {
      chart.append(svg("text", { x: x(10 ** power), y: height - 10, "text-anchor": "middle" }, `${10 ** power}`));
    }
    chart.append(svg("text", { x: width - 8, y: height - 10, "text-anchor": "end" }, "op/byte"));
    for (const [limit, name] of [[arithmetic, "kernels"], [products, "matrix products"]]) {
      const knee = limit / bandwidth;
      const start = Math.max(left, low / bandwidth);
      chart.append(svg("path", { class: "roof", d: `M${x(start)},${y(start * bandwidth)} L${x(knee)},${y(limit)} H${width - 8}` }));
      const isLower = limit < Math.max(arithmetic, products);
      chart.append(svg("text", { x: width - 10, y: y(limit) + (isLower ? 12 : -5), "text-anchor": "end" }, name));
    }
    const most = Math.max(...rows.map(entry => entry.seconds));
    for (const entry of dots) {
      const dot = svg("circle", { class: "dot", cx: x(entry.work / entry.moved), cy: y(entry.work / entry.seconds), r: 3 + 9 * Math.sqrt(entry.seconds / most) });
      dot.append(svg("title", {}, `${entry.text}\n${milliseconds(entry.seconds * 1e3)} ms`));
      chart.append(pane.link(dot, stepOps(entry), -1, entry.text));
    }
    return chart;
  },
};

start();
