// The program, stage by stage.

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
    const quiet = stages.filter(stage => !stage.rows.length).length;
    stages.forEach((stage, k) => {
      const same = !stage.rows.length;
      if (same && !state.allStages && k !== state.stage) return;
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
    if (quiet) {
      const more = el("button", "same", state.allStages ? "fewer" : `${quiet} more changed nothing`);
      more.addEventListener("click", () => ((state.allStages = !state.allStages), pane.redraw()));
      pane.bar.append(more);
    }
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
      const made = row("", [`⋯ ${plural(end - k, "line")} as before`], { style: "fold" });
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

