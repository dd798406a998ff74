// The graph, which can be moved and zoomed.

// What can be drawn: the captured program folded by layer, and, where they aren't too large, whole programs.
function graphsOfPart() {
  const { folded, graphs } = part();
  const whole = graphs.map(({ name, boxes, ...rest }) => ({
    ...rest, name, boxes: boxes.map(([x, y, width, height, kind, op, ...lines]) => ({ x, y, width, height, kind, ops: op >= 0 ? [op] : [], lines })),
  }));
  const opened = folded[state.layer] || folded[""];
  if (!opened) return whole;
  const boxes = opened.boxes.map(([x, y, width, height, kind, child, ops, path, role, ...lines]) => ({ x, y, width, height, kind, child, ops, path, role, lines }));
  return [{ ...opened, name: part().layers.length ? "by layer" : "by line", boxes, frames: [], isNested: true }, ...whole];
}

const GRAPH = {
  name: "Graph",
  has: () => part().graphs.length > 0 || "" in part().folded,
  draw(pane) {
    const graphs = graphsOfPart();
    const byDefault = part().layers.length ? 0 : 1; // a small function has no layers to fold by
    const number = Math.min(state.graph ?? byDefault, graphs.length - 1);
    const graph = graphs[number];
    const view = this.picture(pane, graph);
    if (pane.isPaper) {
      if (graph.boxes.length > 150) return empty(pane, "The graph is too large for paper.");
      const sheet = svg("svg", { viewBox: `0 0 ${graph.width} ${graph.height}`, width: graph.width, class: "graph" }, view);
      pane.body.append(sheet);
      return;
    }
    const picture = svg("svg", { id: "graph", role: "img", "aria-label": "graph of the program" }, view);
    pane.body.append(picture);
    const map = miniature(graph);
    pane.body.append(map.root);
    pane.camera = new Camera(picture, view, graph, map);
    const zoom = [["+", 1.25], ["−", 0.8], ["0", 0]].map(([sign, by]) => {
      const button = el("button", "", sign === "0" ? "⤢" : sign);
      button.title = sign === "0" ? "Fit (0)" : `Zoom (${sign})`;
      button.addEventListener("click", () => (by ? pane.camera.zoom(by) : pane.camera.fit()));
      return button;
    });
    const kinds = graphs.length < 2 ? [] : graphs.map(({ name }, k) => {
      const button = el("button", "wide", name);
      button.setAttribute("aria-pressed", k === number);
      button.addEventListener("click", () => ((state.graph = k), pane.redraw()));
      return button;
    });
    pane.body.append(el("div", "legend", ...kinds, ...zoom));
    if (graph.isNested) this.crumbs(pane);
    pane.body.onkeydown = event => pane.view === GRAPH && pane.camera.key(event);
  },
  picture(pane, graph) {
    const view = svg("g", {});
    for (const [x, y, width, height, op, title] of graph.frames) {
      const made = svg("g", { class: "box frameBox" });
      const label = svg("text", { x: x + 10, y: y + 16 }, title);
      label.style.textAnchor = "start";
      made.append(svg("rect", { x, y, width, height, rx: 6, class: "frame" }), label);
      view.append(op >= 0 ? pane.link(made, [op]) : made);
    }
    for (const points of graph.edges) view.append(svg("path", { class: "edge", d: curve(points) }));
    const times = data.times ? layerTimesByRole() : new Map();
    const most = Math.max(...graph.boxes.map(box => times.get(`${box.path} ${box.role}`) || 0), 1e-12);
    for (const { x, y, width, height, kind, child, ops, path, role, lines } of graph.boxes) {
      const made = svg("g", { class: `box ${kind}${child ? " closed" : ""}` }, svg("rect", { x, y, width, height, rx: 5 }));
      const seconds = times.get(`${path} ${role}`);
      if (seconds && path) {
        made.append(svg("rect", { class: "spent", x: x + 1, y: y + height - 5, width: Math.max(((width - 2) * seconds) / most, 1), height: 4, rx: 2 }));
        made.append(svg("title", {}, `${lines[0]}: ${duration(seconds)} per call`));
      }
      lines.forEach((line, k) => made.append(svg("text", { x: x + width / 2, y: y + 17 + 16 * k }, line)));
      if (child) made.append(this.opener(pane, x + width, y, child));
      made.at = [x + width / 2, y + height / 2];
      view.append(ops.length ? pane.link(made, ops) : made);
    }
    return view;
  },
  // The sign that opens a box; a double click does it as well.
  opener(pane, right, y, child) {
    const sign = svg("g", { class: "opener", tabindex: 0, role: "button", transform: `translate(${right} ${y})` });
    sign.append(svg("title", {}, "What is in it"), svg("circle", { r: 8 }), svg("path", { d: "M-4,0 H4 M0,-4 V4" }));
    const open = event => {
      event.stopPropagation();
      this.open(pane, child);
    };
    sign.addEventListener("click", open);
    sign.addEventListener("keydown", event => event.key === "Enter" && open(event));
    requestAnimationFrame(() => sign.parentNode?.addEventListener("dblclick", open));
    return sign;
  },
  open(pane, key) {
    state.layer = key;
    pane.redraw();
  },
  crumbs(pane) {
    const { folded } = part();
    const keys = [""];
    state.layer.split("/").slice(1).forEach(name => keys.push(`${keys[keys.length - 1]}/${name}`));
    const shown = keys.filter(key => key in folded);
    const links = shown.map((key, k) => {
      const button = el("button", "wide", key ? folded[key].title : "whole program");
      button.setAttribute("aria-pressed", k === shown.length - 1);
      button.addEventListener("click", () => this.open(pane, key));
      return button;
    });
    pane.body.append(el("nav", "crumbs", ...links));
  },
  reveal: (pane, nodes) => pane.camera.centre(nodes.find(node => node.at)),
};

// Seconds of a call by layer and role, whatever the switch says.
function layerTimesByRole() {
  const found = new Map();
  for (const each of data.parts) {
    for (const [op, seconds] of each.profile ? each.profile.ops : []) {
      const [, , , inside, role] = each.ops[op];
      if (!inside.length) continue;
      const names = each.layers[inside[0]].split(" ")[0].split(".");
      names.forEach((_, k) => {
        const key = `${names.slice(0, k + 1).join(".")} ${role}`;
        found.set(key, (found.get(key) || 0) + seconds);
      });
    }
  }
  return found;
}

// All boxes, small, and the window that is in view; a click goes there.
function miniature(graph) {
  const [width, height] = [150, 110];
  const scale = Math.min(width / graph.width, height / graph.height);
  const root = svg("svg", { class: "miniature", width: graph.width * scale, height: graph.height * scale, viewBox: `0 0 ${graph.width} ${graph.height}` });
  for (const { x, y, width, height, kind } of graph.boxes) root.append(svg("rect", { x, y, width, height, class: kind }));
  const frame = svg("rect", { class: "window" });
  root.append(frame);
  return { root, frame, scale };
}

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
  constructor(picture, view, graph, map) {
    Object.assign(this, { picture, view, graph, map });
    this.fit();
    const go = event => {
      const frame = map.root.getBoundingClientRect();
      this.look((event.clientX - frame.left) / map.scale, (event.clientY - frame.top) / map.scale);
    };
    map.root.addEventListener("pointerdown", event => {
      map.root.setPointerCapture(event.pointerId);
      go(event);
      map.root.onpointermove = go;
    });
    map.root.addEventListener("pointerup", () => (map.root.onpointermove = null));
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
    const [width, height] = this.size();
    const [left, top, right, bottom] = [-x / scale, -y / scale, (width - x) / scale, (height - y) / scale];
    const isWhole = left <= 0 && top <= 0 && right >= this.graph.width && bottom >= this.graph.height;
    this.map.root.style.display = isWhole ? "none" : "";
    const edges = { x: Math.max(left, 0), y: Math.max(top, 0) };
    edges.width = Math.max(Math.min(right, this.graph.width) - edges.x, 1);
    edges.height = Math.max(Math.min(bottom, this.graph.height) - edges.y, 1);
    for (const [name, value] of Object.entries(edges)) this.map.frame.setAttribute(name, value.toFixed(1));
  }

  // Put a point of the graph into the middle.
  look(x, y) {
    const [width, height] = this.size();
    this.put(this.scale, width / 2 - x * this.scale, height / 2 - y * this.scale);
  }

  size() {
    return [this.picture.clientWidth || 600, this.picture.clientHeight || 400];
  }

  // The whole width, if that leaves the text legible; the top of it in any case.
  fit() {
    const [width, height] = this.size();
    const [above, below] = this.graph.isNested ? [40, 44] : [0, 44]; // where buttons are
    const room = height - above - below;
    const whole = Math.min(width / this.graph.width, room / this.graph.height);
    const scale = Math.min(1, Math.max(whole, Math.min(0.55, width / this.graph.width), 0.12));
    const y = this.graph.height * scale < room ? above + (room - this.graph.height * scale) / 2 : above;
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

