// The head of the page: what a reader wants to know first. And what the columns show.

function columns() {
  return [
    ["source", "Source", [SOURCE, LAYERS, CONVERTED, CERTIFICATE, VERSIONS]],
    ["program", "Program", [PROGRAM]],
    ["vm", "VM", [STEPS, KERNELS, GRAPH, MEMORY, PROFILE]],
  ];
}

function tile(name, value, note, style = "") {
  return el("div", `tile ${style}`, el("span", "label", name), el("b", "", value), note ? el("small", "", ...[note].flat()) : "");
}

function drawSummary() {
  const { compile, steps, python, kernels, peak, call, calls, roles } = data.summary;
  const made = [];
  if (compile !== null) made.push(tile("Compiled in", duration(compile), data.versions.length > 1 ? `program ${data.versions.length}` : "once"));
  made.push(tile("Steps", count(steps), python ? `${count(python)} in Python` : "all native"));
  made.push(tile("Kernels", count(kernels), data.parts.length > 1 ? `in ${data.parts.length} programs` : ""));
  if (peak !== null) made.push(tile("Peak memory", bytes(peak), "intermediates"));
  if (call === null) {
    made.push(tile("Time per call", "–", "vt.report(fn, profile=…)"));
  } else {
    made.push(tile("Time per call", duration(call), `mean of ${plural(calls, "call")}`));
    const all = roles.reduce((a, b) => a + b, 0);
    if (all && roles[1]) {
      const legend = ROLES.flatMap((role, k) => (roles[k] ? [el("i", role), `${role} ${percent(roles[k] / all)}  `] : []));
      const shares = tile("Backward", percent(roles[1] / all), legend, "wide");
      shares.querySelector("b").after(rolesBar(roles, all));
      made.push(shares);
    }
    made.push(hottest(all));
  }
  $("summary").replaceChildren(...made);
}

// The three lines that take longest, each a link to its line.
function hottest(all) {
  const places = state.home ? data.times.homeHottest : data.times.ownHottest;
  const times = lineTimes();
  const made = el("div", "tile hottest", el("span", "label", "Hottest lines"));
  for (const place of places) {
    const text = textOf(place);
    const link = el("button", "hot", heated(el("span", "share", percent(times[place] / all)), times[place] / times[places[0]]));
    link.append(el("code", "", text), el("small", "", data.places[place]));
    link.title = `${duration(times[place])} of ${duration(all)} per call`;
    link.addEventListener("click", () => pin({ ops: [], place, note: "" }, null));
    made.append(link);
  }
  return made;
}

function textOf(place) {
  for (const { lines, places } of data.routines) if (places.includes(place)) return lines[places.indexOf(place)].trim();
  return "";
}

start();
