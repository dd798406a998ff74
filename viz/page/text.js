// Lines of text, numbers in units that a reader knows, bars, tables.

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

// `time`: [seconds, share of the longest], shown as a number on a bar.
function row(number, parts, { mark, time, title, more, hue = -1, style = "" } = {}) {
  const made = el("div", `row ${style}`, el("span", "no", String(number)));
  if (mark !== undefined) made.append(el("span", `mark ${mark === "▲" ? "opaque" : ""}`, mark));
  if (time !== undefined) made.append(time ? heated(el("span", "time", duration(time[0])), time[1]) : el("span", "time"));
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

// Three digits and the unit that fits.
function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 5e-10) return "0";
  const [unit, name] = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]].find(([unit]) => seconds >= unit) || [1e-9, "ns"];
  const number = seconds / unit;
  return `${number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2)} ${name}`;
}

const percent = share => (share > 0 && share < 0.0005 ? "< 0.1 %" : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`);

function heated(node, share) {
  node.classList.add("heated");
  node.style.setProperty("--heat", `${(100 * Math.min(share, 1)).toFixed(1)}%`);
  return node;
}

const plural = (many, what) => `${count(many)} ${what}${many === 1 ? "" : "s"}`;

// A bar of parts of different kinds: forward, gradient, update.
const ROLES = ["forward", "gradient", "update"];

const sumOf = list => list.reduce((a, b) => a + b, 0);

function rolesBar(seconds, most) {
  const made = el("span", "roles");
  seconds.forEach((part, role) => {
    if (!part) return;
    const piece = el("span", ROLES[role]);
    piece.style.width = `${((100 * part) / Math.max(most, sumOf(seconds))).toFixed(2)}%`;
    piece.title = `${ROLES[role]}: ${duration(part)}`;
    made.append(piece);
  });
  return made;
}

function amount(number) {
  if (number === null || number === undefined) return "";
  const units = ["", " k", " M", " G", " T"];
  let k = 0;
  while (number >= 1000 && k < 4) (number /= 1000), k++;
  return `${k && number < 100 ? number.toFixed(1) : Math.round(number)}${units[k]}`;
}

function tableOf(heads, rows, numeric = []) {
  const made = el("table");
  const style = k => (numeric.includes(k) ? "n" : ["buffer", "type"].includes(heads[k]) ? "m whole" : "m");
  made.append(el("thead", "", el("tr", "", ...heads.map((head, k) => el("th", style(k) === "n" ? "n" : "", head)))));
  const body = el("tbody");
  for (const cells of rows) body.append(el("tr", "", ...cells.map((cell, k) => el("td", style(k), cell ?? ""))));
  made.append(body);
  return made;
}

const empty = (pane, text) => pane.body.append(el("p", "empty", text));

