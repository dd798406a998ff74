// The VM: steps, kernels, memory.

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
    pane.body.append(el("p", "lead", `${plural(steps.length, "step")}, ${native === steps.length ? "all native" : `${steps.length - native} in Python`}; ${plural(kernels.length, "kernel")}.${where}`));
    steps.forEach((step, k) => {
      const indent = "  ".repeat(deep[k]) + (step.kind === "label" ? "" : "  ");
      const isKernel = step.kernel !== undefined;
      const key = `step ${state.part}.${k}`;
      const open = isKernel && (pane.isPaper ? false : length <= 300 !== state.open.has(key));
      const name = step.title ? [el("span", "does", step.title), "  "] : [];
      const signature = el("span", step.title ? "c plain" : "", ...marked(step.text, IR, IR_STYLES));
      const parts = [indent, isKernel ? el("span", "twist", open ? "▾ " : "▸ ") : "", ...name, signature];
      const moved = step.reads === undefined || step.reads === null ? "" : `${bytes(step.reads)} → ${bytes(step.writes)}`;
      const more = isKernel || step.kind === "gemm" ? `${amount(step.work)} ops, ${moved}` : moved;
      const style = `step ${{ label: "quiet", jump: "quiet", hold: "quiet", python: "opaque" }[step.kind] || ""}`;
      const made = row(k, parts, { hue: hueOf(stepOps(step), -1), more, style, title: step.title ? `${step.title}\n${step.text}` : step.text });
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
      const facts = [`${amount(work)} operations`, bytes(moved), moved ? `${(work / moved).toFixed(2)} ops per byte` : ""];
      const title = used[k].map(step => step.title).find(Boolean) || "";
      const head = el("div", "head", el("b", "", title || kernels[k].name), title ? el("span", "machine", ` ${kernels[k].name}`) : "", `  ${used[k].length > 1 ? `${used[k].length} steps, ` : ""}${facts.join(", ")}`);
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
    const rows = memory.buffers.map(([name, type, size, offset, first, last]) => [name, type, bytes(size), count(offset), `${first}–${last}`]);
    const made = tableOf(["buffer", "type", "size", "offset", "steps"], rows, [2, 3, 4]);
    [...made.tBodies[0].rows].forEach((line, k) => memory.buffers[k][6] >= 0 && pane.link(line, [memory.buffers[k][6]]));
    pane.body.append(made);
  },
};

