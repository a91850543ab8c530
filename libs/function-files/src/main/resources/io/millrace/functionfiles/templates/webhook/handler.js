// Posts each change to the URL of the binding "hook", and stores what it answered.
function OnUpdate(doc, meta) {
  const response = curl("POST", hook, {path: "/changes", body: {id: meta.id, document: doc}});
  if (response.status !== 200) {
    throw new Error("the hook answered " + response.status);
  }
  answers[meta.id] = {status: response.status, body: response.body};
}
