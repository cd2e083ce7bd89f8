// The corners of a hull: what a figure of averages needs.
// Which of these points in the plane are corners of their hull, anticlockwise from the leftmost (Andrew's chain).
export function hull(points) {
  const order = points.map((_, j) => j).sort((i, j) =>
    points[i][0] - points[j][0] || points[i][1] - points[j][1] || i - j
  );
  const sides = [order, [...order].reverse()].map((path) => chain(points, path).slice(0, -1)).flat();
  return sides.length ? sides : order.slice(0, 1);
}

function chain(points, path) {
  const left = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
  const kept = [];
  const last = (back) => points[kept[kept.length - back]];
  for (const j of path) {
    while (kept.length > 1 && !left(last(2), last(1), points[j])) kept.pop();
    if (!kept.length || last(1)[0] !== points[j][0] || last(1)[1] !== points[j][1]) kept.push(j);
  }
  return kept;
}
