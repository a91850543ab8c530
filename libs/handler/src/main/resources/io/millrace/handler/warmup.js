function OnUpdate(doc, meta, xattrs) {
  if (meta.id === 'throw') {
    throw new KVError({code: 1, name: 'N', desc: 'd'});
  }
  if (meta.datatype === 'binary') {
    bucket[meta.id] = doc;
    return;
  }
  walk(doc);
  doc.added = {list: doc.list, when: new Date(0)};
  doc.list.push(descend(50));
  doc.list.splice(0, 1);
  doc.text += doc.nested.i;
  delete doc.nested.c;
  bucket[meta.id] = doc;
  bucket[`${meta.id}-mixed`] = {...doc, xattrs, number: 0.1, list: [doc.list]};
  delete bucket[meta.id];
  log('warm', doc, {meta}, bucket.none, [...'abc'].map((c) => c.toUpperCase()).join(), /a+b/.exec('caab'));
  provoke(() => { source.x = 1; });
  provoke(() => { bucket.x = undefined; });
  provoke(() => { doc.none.x; });
  provoke(() => { null.x; });
  provoke(() => { throw new EventingError('x'); });
  provoke(() => { throw new RangeError('x'); });
  provoke(() => JSON.parse('{'));
  for (const part of generate(3)) {
    log(part);
  }
}

function OnDelete(meta, options) {
  log(JSON.stringify(meta), options.expired, new Map([[1, 2]]).size, meta.expiry_date);
}

function walk(value) {
  if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      walk(value[key]);
    }
  }
}

function descend(depth) {
  return depth === 0 ? 0 : 1 + descend(depth - 1);
}

function* generate(count) {
  for (let i = 0; i < count; i++) {
    yield i;
  }
}

function provoke(mistake) {
  try {
    mistake();
  } catch (expected) {
    return String(expected.stack) + expected;
  } finally {
    descend(2);
  }
}
