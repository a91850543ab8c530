// What a user writes without Millrace: one consumer of a Redis stream that handles messages and writes the results. It keeps no
// order over several processes, repeats nothing that fails, and has no time limits. Usage:
// node consumer.mjs <redis url> <stream> <prefix of results> <count>

import { Redis } from './redis.mjs';

const [url, stream, prefix, wanted] = process.argv.slice(2);
const TOGETHER = 100;

function handle(order) {
  order.total = 0;
  for (const item of order.items) order.total += item.price * item.quantity;
  return order;
}

const redis = await Redis.open(url);
await redis.send([['XGROUP', 'CREATE', stream, 'plain', '0']]);
const began = process.hrtime.bigint();
const before = process.cpuUsage();
let handled = 0;
while (handled < Number(wanted)) {
  const [read] = await redis.send([['XREADGROUP', 'GROUP', 'plain', 'one', 'COUNT', `${TOGETHER}`, 'STREAMS', stream, '>']]);
  if (read === null) break;
  const rows = read[0][1];
  const writes = rows.map(([id, fields]) => [
    'SET',
    prefix + id,
    JSON.stringify(handle(JSON.parse(fields[fields.indexOf('data') + 1]))),
  ]);
  await redis.send([...writes, ['XACK', stream, 'plain', ...rows.map(([id]) => id)]]);
  handled += rows.length;
}
const { user, system } = process.cpuUsage(before);
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
console.log(`${handled} ${seconds} ${user + system}`);
redis.close();
