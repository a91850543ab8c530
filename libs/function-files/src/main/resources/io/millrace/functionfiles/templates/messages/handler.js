// Each customer gets what its orders cost. Messages whose key is the customer come in their order, and one that comes again
// changes nothing: the order has its total already.
function OnMessage(message, meta) {
  const customer = customers[message.customer] || { orders: {} };
  customer.orders[message.order] = message.total;
  customers[message.customer] = customer;
}
