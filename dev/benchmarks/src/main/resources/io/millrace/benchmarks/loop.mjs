// What a user writes without Millrace: one loop that takes the ids of changed documents from a stream, reads the documents,
// handles them and writes the results. It keeps no order over several processes, compares no versions, and has no time
// limits, timers or deletions. Usage: node loop.mjs <redis url> <stream> <prefix of results> <count>

import { Redis } from './redis.mjs';

const [url, stream, prefix, wanted] = process.argv.slice(2);
const TOGETHER = 100;

function handle(doc) {
  doc.startedAt = Date.now();
  doc.total = 0;
  for (const item of doc.items) doc.total += item.price * item.quantity;
  return doc;
}

const redis = await Redis.open(url);
await redis.send([['XGROUP', 'CREATE', stream, 'loop', '0', 'MKSTREAM']]);
const began = process.hrtime.bigint();
const before = process.cpuUsage();
let handled = 0;
while (handled < Number(wanted)) {
  const [read] = await redis.send([['XREADGROUP', 'GROUP', 'loop', 'one', 'COUNT', `${TOGETHER}`, 'BLOCK', '60000', 'STREAMS', stream, '>']]);
  if (read === null) break;
  const rows = read[0][1];
  const ids = rows.map(([, fields]) => fields[1]);
  const [documents] = await redis.send([['MGET', ...ids]]);
  const writes = documents.map((text, i) => ['SET', prefix + ids[i], JSON.stringify(handle(JSON.parse(text)))]);
  await redis.send([...writes, ['XACK', stream, 'loop', ...rows.map(([id]) => id)]]);
  handled += rows.length;
}
const { user, system } = process.cpuUsage(before);
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
console.log(`${handled} ${seconds} ${user + system}`);
redis.close();
