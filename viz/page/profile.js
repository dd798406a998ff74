// What a profile measured: steps by their time, and the roofline.

const PROFILE = {
  name: "Profile",
  has: () => Boolean(part().profile),
  draw(pane) {
    const { steps, profile } = part();
    const [arithmetic, products, bandwidth] = profile.roof;
    const rows = profile.steps.map(([number, calls, seconds]) => {
      const { work = 0, reads = 0, writes = 0, ...step } = steps[number];
      const entry = { number, calls, seconds, work: work * calls, moved: (reads + writes) * calls, ...step };
      const least = Math.max(entry.work / (step.kind === "gemm" ? products : arithmetic), entry.moved / bandwidth);
      return { ...entry, limit: least ? Math.min(least / seconds, 1) : null };
    });
    rows.sort((a, b) => b.seconds - a.seconds);
    const all = rows.reduce((sum, entry) => sum + entry.seconds, 0);
    const per = `${duration(all / profile.calls)} in ${plural(rows.length, "step")} per call, mean of ${plural(profile.calls, "call")}, longest first.`;
    pane.body.append(el("p", "lead", per));
    pane.body.append(this.table(pane, rows, all, profile.calls));
    pane.body.append(el("p", "lead", "Each dot is a step: what it computes against what it moves. The line is the most that this machine can do."));
    pane.body.append(this.roofline(pane, rows, profile.roof));
  },
  table(pane, rows, all, calls) {
    const made = el("table", "profile");
    const heads = [["step", ""], ["time", "n"], ["share", ""], ["calls", "n extra"], ["Gop/s", "n extra"], ["GB/s", "n extra"], ["of limit", "n extra"]];
    made.append(el("thead", "", el("tr", "", ...heads.map(([head, style]) => el("th", style, head)))));
    const body = el("tbody");
    for (const { seconds, calls: many, work, moved, text, title, limit } of rows) {
      const share = el("td", "share", heated(el("span", "", percent(seconds / all)), seconds / rows[0].seconds));
      const step = el("td", "what", el("div", "", title || text), title ? el("small", "", text) : "");
      const rate = value => (value ? (value / seconds / 1e9).toPrecision(2).replace(/e.*/, "") : "");
      const cells = [`${many / calls}`.slice(0, 5), rate(work), rate(moved), limit === null ? "" : percent(limit)];
      body.append(el("tr", "", step, el("td", "n", duration(seconds / calls)), share, ...cells.map(cell => el("td", "n extra", cell))));
    }
    made.append(body);
    [...body.rows].forEach((line, k) => {
      line.title = rows[k].text;
      pane.link(line, stepOps(rows[k]));
    });
    return made;
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
      if (x(10 ** power) > width - 150) continue; // where the name of the axis stands
      chart.append(svg("text", { x: x(10 ** power), y: height - 10, "text-anchor": "middle" }, `${10 ** power}`));
    }
    chart.append(svg("text", { x: width - 8, y: height - 10, "text-anchor": "end" }, "operations per byte"));
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
      dot.append(svg("title", {}, `${entry.title || entry.text}\n${duration(entry.seconds / entry.calls)} each`));
      chart.append(pane.link(dot, stepOps(entry), -1, entry.text));
    }
    return chart;
  },
};

