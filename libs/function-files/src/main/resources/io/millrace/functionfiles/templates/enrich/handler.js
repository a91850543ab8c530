// Each order gets its total, computed with the price of its product.
function OnUpdate(order, meta) {
  const product = products[order.product];
  if (!product) {
    log("unknown product", order.product, "of order", meta.id);
    return;
  }
  order.total = order.quantity * product.price;
  totals[meta.id] = order;
}

function OnDelete(meta) {
  delete totals[meta.id];
}
