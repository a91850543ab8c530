// Each basket gets the number of its items; an event that comes again is left out.
function OnEvent(event, meta) {
  const before = baskets[meta.id] || { items: 0, version: 0 };
  if (before.version > meta.index) {
    return;
  }
  const change = meta.type === "Added" ? 1 : meta.type === "Removed" ? -1 : 0;
  baskets[meta.id] = { items: before.items + change, last: event.sku, version: meta.index + 1 };
}
