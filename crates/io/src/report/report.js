// A frame that is clicked fills the window; another click closes it.
const zoom = document.getElementById("zoom");
for (const image of document.querySelectorAll(".frames img")) {
  image.addEventListener("click", () => {
    zoom.firstChild.src = image.src;
    zoom.showModal();
  });
}
zoom.addEventListener("click", () => zoom.close());

// Charts read out the points nearest to the pointer. Each series carries its points as
// "pixel-x pixel-y x y" fours, with pixels in the chart's own coordinates.
for (const chart of document.querySelectorAll(".tw-chart[data-box]")) {
  const [left, right, top, bottom] = chart.dataset.box.split(" ").map(Number);
  const series = [...chart.querySelectorAll("[data-xy]")].map((group) => {
    const words = group.dataset.xy.trim().split(" ");
    const points = [];
    for (let i = 0; i + 3 < words.length; i += 4) {
      points.push({ px: +words[i], py: +words[i + 1], x: words[i + 2], y: words[i + 3] });
    }
    return { name: group.dataset.name, colour: getComputedStyle(group).color, points };
  }).filter((s) => s.points.length);
  if (!series.length) continue;

  const make = (name) => chart.appendChild(document.createElementNS(chart.namespaceURI, name));
  const rule = make("path");
  rule.setAttribute("stroke", "#8a949f");
  rule.setAttribute("stroke-dasharray", "2 3");
  const dots = series.map((s) => {
    const dot = make("circle");
    dot.setAttribute("r", 3.6);
    dot.style.fill = s.colour;
    return dot;
  });
  const tip = chart.parentNode.appendChild(document.createElement("div"));
  tip.className = "tip";

  const hide = () => { for (const e of [rule, tip, ...dots]) e.style.display = "none"; };
  const show = (event) => {
    const box = chart.getBoundingClientRect();
    const scale = chart.viewBox.baseVal.width / box.width;
    const at = (event.clientX - box.left) * scale;
    if (at < left - 8 || at > right + 8) return hide();
    const nearest = (points) =>
      points.reduce((a, b) => (Math.abs(b.px - at) < Math.abs(a.px - at) ? b : a));
    const found = series.map((s) => nearest(s.points));
    const closest = nearest(found);
    rule.setAttribute("d", `M${closest.px} ${top}V${bottom}`);
    rule.style.display = tip.style.display = "";
    tip.replaceChildren(`${chart.dataset.x || "x"} ${closest.x}`);
    found.forEach((point, i) => {
      // A series without a point near here has nothing to say.
      const near = Math.abs(point.px - closest.px) < 6;
      dots[i].style.display = near ? "" : "none";
      if (!near) return;
      dots[i].setAttribute("cx", point.px);
      dots[i].setAttribute("cy", point.py);
      const line = tip.appendChild(document.createElement("div"));
      line.style.color = series[i].colour;
      line.textContent = `${series[i].name || chart.dataset.y || "y"} ${point.y}`;
    });
    const x = closest.px / scale;
    const flip = x > box.width / 2;
    tip.style.top = `${top / scale + 6}px`;
    tip.style.left = flip ? "" : `${x + 10}px`;
    tip.style.right = flip ? `${box.width - x + 10}px` : "";
  };
  hide();
  chart.addEventListener("pointermove", show);
  chart.addEventListener("pointerleave", hide);
}
