// The user's side: source, converted code, layers, certificate, guards.

const VERDICTS = { "in program": "●", "evaluated at trace": "○", opaque: "▲", "not taken": "·" };

const SOURCE = {
  name: "Source",
  has: () => true,
  draw(pane) {
    if (!data.routines.length) return empty(pane, "There is no source: the program was loaded or built without one.");
    const verdicts = new Map(data.certificate.rows.map(([place, , , , verdict, detail]) => [place, [verdict, detail]]));
    gradientSwitch(pane);
    const times = lineTimes();
    const most = times ? Math.max(...Object.values(times), 1e-12) : 1;
    for (const routine of data.routines) {
      pane.body.append(el("div", "head", el("b", "", routine.name || "lines"), `  ${routine.file}`));
      const margin = marginOf(routine.lines);
      routine.lines.forEach((text, k) => {
        const place = routine.places[k];
        const [verdict, detail] = verdicts.get(place) || [];
        const made = row(routine.first + k, python(text.slice(margin)), {
          mark: VERDICTS[verdict] || "", title: verdict ? `${verdict}${detail ? `: ${detail}` : ""}` : "",
          hue: hueOf([], place), time: !times ? undefined : times[place] ? [times[place], times[place] / most] : null,
        });
        pane.body.append(pane.link(made, [], place));
      });
    }
  },
};

// How far all lines are indented.
function marginOf(lines) {
  const margins = lines.filter(text => text.trim()).map(text => text.length - text.trimStart().length);
  return margins.length ? Math.min(...margins) : 0;
}

// Seconds of a call by line, as the switch says; null without a profile.
const lineTimes = () => data.times && (state.home ? data.times.home : data.times.own);

// The switch: whether the time of a gradient counts at the line whose gradient it is, or where it was asked for.
function gradientSwitch(pane) {
  if (pane.isPaper || !data.times || !data.summary.roles[1]) return;
  const box = el("input");
  box.type = "checkbox";
  box.className = "home";
  box.checked = state.home;
  box.addEventListener("change", () => {
    state.home = box.checked;
    drawSummary();
    for (const each of panes) each.redraw();
  });
  const label = el("label", "", box, "gradients at their forward lines");
  label.title = "Count the time of a gradient at the line, or layer, whose gradient it is";
  pane.bar.append(el("span", "note", "time per call"), label);
}

// Seconds of a call by layer, in forward, gradient and update; each layer with those in it.
function layerTimes() {
  const found = new Map();
  for (const each of data.parts) {
    if (!each.profile) continue;
    for (const [op, seconds] of each.profile.ops) {
      const [, , , inside, role] = each.ops[op];
      if (!inside.length || (role === 1 && !state.home)) continue;
      const names = each.layers[inside[0]].split(" ")[0].split(".");
      names.forEach((_, k) => {
        const path = names.slice(0, k + 1).join(".");
        const sums = found.get(path) || found.set(path, [0, 0, 0]).get(path);
        sums[role] += seconds;
      });
    }
  }
  return found;
}

const LAYERS = {
  name: "Layers",
  has: () => part().layers.length > 0,
  draw(pane) {
    gradientSwitch(pane);
    const { layers, ops, parameters } = part();
    const tree = new Map(); // path -> kind, the operations in it and in what it holds, its parameters' elements
    const at = path => tree.get(path) || tree.set(path, { kind: "", ops: new Set(), elements: 0 }).get(path);
    const paths = layers.map(layer => layer.split(" "));
    const above = names => names.map((_, k) => names.slice(0, k + 1).join("."));
    paths.forEach(([path, kind = ""], number) => {
      for (const name of above(path.split("."))) at(name).elements += parameters[number] ? parameters[number][1] : 0;
      at(path).kind = kind;
    });
    ops.forEach(([, , , inside], op) => {
      for (const layer of inside) for (const name of above(paths[layer][0].split("."))) at(name).ops.add(op);
    });
    const times = layerTimes();
    const inner = [...times].filter(([path]) => path.includes(".")).map(([, spent]) => sumOf(spent)); // the outermost has it all
    const most = Math.max(...(inner.length ? inner : [...times.values()].map(sumOf)), 1e-12);
    const heads = [el("span", "cell", "parameters")];
    if (times.size) heads.push(el("span", "cell", "time per call"), el("span", "cell wide"));
    pane.body.append(el("div", "row layer heads", el("span", "name", "layer"), ...heads));
    for (const path of inOrder([...tree.keys()])) {
      const names = path.split(".");
      const { kind, ops: own, elements } = tree.get(path);
      const text = [" ".repeat(2 * (names.length - 1)), names[names.length - 1], el("span", "c", kind ? ` ${kind}` : "")];
      const made = el("div", "row layer", el("span", "text", ...text), el("span", "cell", elements ? amount(elements) : ""));
      const spent = times.get(path) || [0, 0, 0];
      if (times.size) made.append(el("span", "cell", sumOf(spent) ? duration(sumOf(spent)) : ""), rolesBar(spent, most));
      made.title = `${path} ${kind}\n${plural(own.size, "operation")}${elements ? `, ${count(elements)} parameters` : ""}`;
      if (sumOf(spent)) made.title += ROLES.map((role, k) => (spent[k] ? `\n${role}: ${duration(spent[k])}` : "")).join("");
      pane.body.append(pane.link(made, [...own]));
    }
    if (times.size) pane.body.append(el("p", "legendLine", ...ROLES.flatMap(role => [el("i", role), role])));
  },
};

// In the order of their first operations; what a layer holds stands below it.
function inOrder(paths) {
  const below = new Map();
  for (const path of paths) {
    const above = path.slice(0, Math.max(path.lastIndexOf("."), 0));
    (below.get(above) || below.set(above, []).get(above)).push(path);
  }
  const walk = path => [path, ...(below.get(path) || []).flatMap(walk)];
  return (below.get("") || []).flatMap(walk);
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
    const cells = rows.map(([, , line, text, verdict, by]) => [line, statement(text, by), verdict]);
    const made = tableOf(["line", "statement, and what it became", "verdict"], cells, [0]);
    made.classList.add("certificate");
    pane.body.append(made);
    [...made.tBodies[0].rows].forEach((line, k) => {
      if (rows[k][4] === "opaque") line.cells[2].classList.add("opaque");
      if (rows[k][0] >= 0) pane.link(line, [], rows[k][0]);
    });
  },
};

// A statement with the operations that it became below, at most three lines of them.
function statement(text, by) {
  const made = el("div", "", text);
  if (by) made.append(el("small", "", by));
  made.title = by;
  return made;
}

const VERSIONS = {
  name: "Guards",
  has: () => data.versions.length > 0,
  draw(pane) {
    const many = data.versions.length;
    pane.body.append(el("p", "lead", `${many} program${many > 1 ? "s" : ""}; this page shows the one that was made or looked up last.`));
    const rows = data.versions.map(([number, args, reason, seconds]) => [`#${number}`, args, reason, duration(seconds)]);
    pane.body.append(tableOf(["", "arguments", "why it was made", "made in"], rows, [3]));
    for (const [number, , , , guards] of data.versions) {
      pane.body.append(el("p", "lead", guards.length ? `#${number} holds while` : `#${number} depends on nothing but its arguments.`));
      if (guards.length) pane.body.append(guardTable(guards));
    }
  },
};

// Guards by whose they are: a row for each instance, its attributes beside each other.
function guardTable(guards) {
  const owners = new Map();
  for (const [owner, text] of guards) (owners.get(owner) || owners.set(owner, []).get(owner)).push(text);
  const rows = [...owners].map(([owner, texts]) => [owner, texts.join(owner ? ", " : "\n")]);
  return tableOf(["of", "guard"], rows);
}
