// An order with n lines has the lines <id>/1 to <id>/n. Their number is kept, because a deletion has no document.
function OnUpdate(order, meta) {
  counts[meta.id] = {lines: order.lines};
}

function OnDelete(meta) {
  const kept = counts[meta.id];
  if (!kept) {
    return;
  }
  for (let n = 1; n <= kept.lines; n++) {
    delete lines[meta.id + "/" + n];
  }
  delete counts[meta.id];
}
