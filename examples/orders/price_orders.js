// Looks up the prices of an order's products and stores the order, with prices and a total, in another bucket.
function OnUpdate(order, meta) {
  if (order.type !== 'order') {
    return;
  }
  let total = 0;
  for (const line of order.lines) {
    const product = products[line.product];
    if (product === undefined) {
      log(meta.id, 'names a product that does not exist:', line.product);
      return;
    }
    line.name = product.name;
    line.price = product.price;
    total += line.price * line.quantity;
  }
  order.total = Math.round(total * 100) / 100;
  priced[meta.id] = order;
  log(meta.id, 'comes to', order.total);
}

function OnDelete(meta) {
  delete priced[meta.id];
  log(meta.id, 'is gone');
}
