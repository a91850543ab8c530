// Counts changes; the setting "schedules" calls report every hour.
function OnUpdate(doc, meta) {
  couchbase.increment(reports, {id: "changes"});
}

function report(context, run) {
  const changes = reports["changes"];
  reports["report"] = {at: run, changes: changes ? changes.count : 0};
}
