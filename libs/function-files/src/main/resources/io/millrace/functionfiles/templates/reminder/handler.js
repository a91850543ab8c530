// Three days after its last change an order that still exists causes a reminder.
function OnUpdate(order, meta) {
  const due = new Date(Date.now() + 3 * 24 * 3600 * 1000);
  createTimer(remind, due, meta.id, {order: meta.id, customer: order.customer});
}

function OnDelete(meta) {
  cancelTimer(remind, meta.id);
}

function remind(context) {
  reminders[context.order] = {to: context.customer, text: "Your order " + context.order + " is still open"};
}
