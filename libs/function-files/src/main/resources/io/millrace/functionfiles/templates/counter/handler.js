// Counts documents by country. couchbase.increment is atomic: no two changes overwrite each other's count.
function OnUpdate(doc, meta) {
  const before = seen[meta.id];
  if (before && before.country === doc.country) {
    return;
  }
  if (before) {
    couchbase.decrement(counts, {id: before.country});
  }
  couchbase.increment(counts, {id: doc.country});
  seen[meta.id] = {country: doc.country};
}

function OnDelete(meta) {
  const before = seen[meta.id];
  if (before) {
    couchbase.decrement(counts, {id: before.country});
    delete seen[meta.id];
  }
}
