function OnUpdate(doc, meta) {
  log("changed", meta.id, doc);
}

function OnDelete(meta, options) {
  log(options.expired ? "expired" : "deleted", meta.id);
}
