// The helper of cron_impl_2func_651: answers its change of a control document with another one, which that function
// sees. Needs the alias cron_bkt, the source bucket, to read and to write, and allow_interbucket_recursion.
function OnUpdate(doc, meta) {
  if (doc.type !== 'recurring_event' || doc.active !== true) return;
  if (!doc.action || !doc.verbose || !doc.dynamic || doc.dynamic.state !== 'pending') return;
  const mid = doc.type + '::' + doc.id;
  try {
    const current = cron_bkt[mid];
    const reason = outdated(doc, current);
    if (reason !== null) {
      if (!current || current.verbose.scheduler >= 1) {
        log('OnUpdate help: X stop schedule because ' + reason + ',', current);
      }
      return;
    }
    current.dynamic.state = 'rearm';
    if (!tryBucketKvWriteWithLog('OnUpdate help: F', mid, current)) return;
    if (current.verbose.scheduler >= 1) {
      log('OnUpdate help: A ' + mid + ' gen mutation #2 to doc to force schedule rearm');
    }
    if (current.verbose.scheduler >= 3) {
      log('OnUpdate help: B ' + mid + ',', current);
    }
  } catch (e) {
    log('OnUpdate help: E ' + meta.id + ', Error exception:', e);
  }
}

function outdated(doc, current) {
  if (!current) return 'cron document is missing';
  if (!current.active) return 'cron document has active = false';
  if (!current.dynamic || current.dynamic.state !== doc.dynamic.state) {
    return 'cron document wrong dynamic.state expected ' + doc.dynamic.state;
  }
  if (crc64(doc) !== crc64(current)) return 'cron document changed';
  return null;
}

// The schedule ends when this write fails: it is tried ten times.
function tryBucketKvWriteWithLog(tag, key, doc) {
  for (let tries = 1; tries <= 10; tries++) {
    try {
      cron_bkt[key] = doc;
      return true;
    } catch (e) {
      log(tag + ' ' + key + ' WARN failed to update KV tries ' + tries, e);
    }
  }
  log(tag + ' ' + key + ' FATAL could not update KV cron cycle, ' + doc.action);
  return false;
}
