// A scheduler in one function: control documents of type "recurring_event" in the source bucket say when which action
// is to run. Needs the aliases cron_bkt, the source bucket, and ts_bkt, both to read and to write.
// An action: called with its control document when its time has come; returns whether it succeeded. This one counts the
// airlines of each country and keeps the result in a document, so that a million readers need not count.
function doCronActionA(doc) {
  try {
    if (doc.type !== 'recurring_event' || doc.active !== true) return false;
    if (doc.verbose.user_func >= 1) {
      log(doc.action + ' user action controlled by ' + doc.type + '::' + doc.id);
    }
    const rows = SELECT country, COUNT(*) AS cnt FROM `travel-sample` WHERE `type` = 'airline' GROUP BY country;
    const counts = {};
    let index = 0;
    for (const row of rows) {
      if (doc.verbose.user_func >= 2) {
        log(doc.action + ' N1QL idx ' + index + ', country ' + row.country + ' cnt ' + row.cnt);
      }
      counts[row.country] = row.cnt;
      index++;
    }
    rows.close();
    const cache = {type: 'cron_cache', id: 'airlines_by_country', date: new Date(), data: counts};
    const key = cache.type + '::' + cache.id;
    ts_bkt[key] = cache;
    if (doc.verbose.user_func >= 2) {
      log(doc.action + ' upsert to KV with KEY ' + key + ' cachedoc ', cache);
    }
  } catch (e) {
    log(doc.action + ' Error exception:', e);
    return false;
  }
  return true;
}

// An empty one, to be filled.
function doCronActionB(doc) {
  if (doc.type !== 'recurring_event' || doc.active !== true) return false;
  if (doc.verbose.user_func >= 1) {
    log(doc.action + ' user action controlled by ' + doc.type + '::' + doc.id);
  }
  // what is to be done goes here
  return true;
}

function doCronActionC(doc) {
  if (doc.type !== 'recurring_event' || doc.active !== true) return false;
  if (doc.verbose.user_func >= 1) {
    log(doc.action + ' user action controlled by ' + doc.type + '::' + doc.id);
  }
  // what is to be done goes here
  return true;
}

// Returns the next moment of a schedule: a number or '*' for the hour and for the minute, or '*2X' for both, which is
// twice a minute, or '*4X' for both, which is four times a minute.
function getNextRecurringDate(hour, minute) {
  const now = new Date();
  const next = new Date(now.getTime());
  next.setMilliseconds(0);
  const perMinute = {'*2X': 2, '*4X': 4}[hour];
  if (perMinute !== undefined && hour === minute) {
    const seconds = 60 / perMinute;
    next.setSeconds((Math.floor(next.getSeconds() / seconds) + 1) * seconds);
    return next;
  }
  const everyHour = hour === '*', everyMinute = minute === '*';
  const h = Number(hour), m = Number(minute);
  const known = (everyHour || (hour !== '' && h >= 0 && h <= 23)) && (everyMinute || (minute !== '' && m >= 0 && m <= 59));
  if (!known) {
    throw new Error('getNextRecurringDate illegal input hour <' + hour + '> min <' + minute + '>');
  }
  next.setSeconds(0);
  if (!everyMinute) next.setMinutes(m);
  while (next.getTime() <= now.getTime() || (!everyHour && next.getHours() !== h)) {
    if (everyMinute && (everyHour || next.getHours() === h)) {
      next.setMinutes(next.getMinutes() + 1);
    } else {
      next.setHours(next.getHours() + 1);
      if (everyMinute) next.setMinutes(0);
    }
  }
  return next;
}

function actionExists(doc, mid) {
  if (doc.action.startsWith('doCron') && typeof globalThis[doc.action] === 'function') return true;
  if (doc.verbose.scheduler >= 1) {
    log("Warning/Disabled (no action and no re-arm), because required 'action' of " + doc.action
        + '(doc) does not exist, id is', mid);
  }
  return false;
}

function toNumericFixed(number, digits) {
  return Number(number.toFixed(digits));
}

function toLocalISOTime(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, -1);
}

// Runs the action and notes in the control document how it went and when it is to run again.
function act(doc, mid, firedAt) {
  const began = new Date();
  const result = globalThis[doc.action](doc);
  const took = toNumericFixed((new Date().getTime() - began.getTime()) / 1000, 3);
  if (doc.verbose.scheduler >= 2) {
    log('Callback R ' + mid + ' action took ' + took + ' sec., returned ' + result);
  }
  const next = getNextRecurringDate(doc.hour, doc.min);
  doc.dynamic.prev_delay = toNumericFixed(firedAt.getTime() / 1000 - doc.dynamic.next_sched, 3);
  doc.dynamic.prev_sched = doc.dynamic.next_sched;
  doc.dynamic.prev_time = Math.round(firedAt.getTime() / 1000);
  doc.dynamic.prev_atime = took;
  doc.dynamic.next_sched = Math.round(next.getTime() / 1000);
  return next;
}

function logRun(doc, mid) {
  if (doc.verbose.scheduler >= 2) {
    const run = doc.dynamic;
    log('Callback B ' + mid + ' sched ' + run.prev_sched + ', actual ' + run.prev_time + ', delay ' + run.prev_delay
        + ', took ' + run.prev_atime);
  }
  if (doc.verbose.scheduler >= 3) {
    log('Callback C ' + mid + ' curDoc', doc);
  }
}

// Returns why a timer that was made for one state of a control document is of no use any more, or null.
function outdated(doc, current) {
  if (!current) return 'cron document is missing';
  if (!current.active) return 'cron document has active = false';
  if (!current.dynamic || current.dynamic.state !== doc.dynamic.state) {
    return 'cron document wrong dynamic.state expected ' + doc.dynamic.state;
  }
  if (crc64(doc) !== crc64(current)) return 'cron document changed';
  return null;
}

function logOutdated(doc, current, mid, reason) {
  if (!current || current.verbose.scheduler >= 1) {
    log('Callback X ' + mid + ' ignore/stop this timer schedule because ' + reason);
  }
  if (!current || current.verbose.scheduler >= 4) {
    log('Callback Y ' + mid + ' timer doc', doc);
    log('Callback Z ' + mid + ' KV curDoc', current);
  }
}

// Completes a control document; returns whether it had to.
function completed(doc) {
  const complete = doc.dynamic && doc.verbose;
  if (!doc.dynamic) {
    doc.dynamic = {state: 'arm', next_sched: 0, prev_sched: 0, prev_time: 0, prev_delay: 0, prev_atime: 0};
  }
  if (!doc.verbose) {
    doc.verbose = {user_func: 1, scheduler: 1};
  }
  return !complete;
}

function OnUpdate(doc, meta) {
  if (doc.type !== 'recurring_event') return;
  const mid = doc.type + '::' + doc.id;
  if (doc.active !== true) {
    cancelTimer(Callback, mid);
    return;
  }
  try {
    let changed = completed(doc);
    if (!actionExists(doc, mid)) return;
    const next = getNextRecurringDate(doc.hour, doc.min);
    const sched = Math.round(next.getTime() / 1000);
    if (!changed && sched !== doc.dynamic.next_sched) {
      log('OnUpdate U ' + mid + ' calculated next_sched !== doc.dynamic.next_sched, delta '
          + (sched - doc.dynamic.next_sched) + ', reschedule');
      changed = true;
    }
    if (changed) {
      doc.dynamic.next_sched = sched;
      cron_bkt[mid] = doc; // the function does not see its own changes
    }
    const reference = createTimer(Callback, next, mid, doc);
    if (doc.verbose.scheduler >= 1) {
      log('OnUpdate A ' + mid + ' rcv mutation (initial or rearm) schedule timer at ' + toLocalISOTime(next));
    }
    if (doc.verbose.scheduler >= 2) {
      log('OnUpdate B ' + mid + ' recurring timer was created, timer_id ' + reference);
    }
  } catch (e) {
    log('OnUpdate E ' + meta.id + ', Error exception:', e);
  }
}

function Callback(doc) {
  const firedAt = new Date();
  const mid = doc.type + '::' + doc.id;
  try {
    const current = cron_bkt[mid];
    const reason = outdated(doc, current);
    if (reason !== null) {
      logOutdated(doc, current, mid, reason);
      return;
    }
    if (!actionExists(current, mid)) return;
    const next = act(current, mid, firedAt);
    current.dynamic.state = 'rearm';
    cron_bkt[mid] = current;
    createTimer(Callback, next, mid, current); // a callback may create timers
    if (current.verbose.scheduler >= 1) {
      log('Callback A ' + mid + ' rearmed, schedule timer at ' + toLocalISOTime(next));
    }
    logRun(current, mid);
  } catch (e) {
    log('Callback E ' + mid + ' Error exception:', e);
  }
}
