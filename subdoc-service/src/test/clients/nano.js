// Drives a server with nano: node nano.js <url of the server> <prefix of database names> <documents>
import assert from 'node:assert/strict';
import Nano from 'nano';

const [server, prefix, documents] = process.argv.slice(2);
const count = Number(documents);
// the databases lie below a path, which nano would take for one of them
const nano = Nano({ url: server.replace(/\/$/, ''), parseUrl: false });
const name = prefix + 'nano';

let begun = Date.now();

function done(step) {
  console.log(`${step}: ${Date.now() - begun} ms`);
  begun = Date.now();
}

await nano.db.create(name);
const db = nano.use(name);
assert.ok((await nano.db.list()).includes(name));
const { rev } = await db.insert({ n: 1 }, 'a');
assert.equal((await db.get('a')).n, 1);
await assert.rejects(db.insert({ n: 2 }, 'a'), { statusCode: 409 });
await db.insert({ _rev: rev, n: 2 }, 'a');
await db.bulk({ docs: Array.from({ length: count }, (_, n) => ({ _id: 'b' + n, n })) });
assert.equal((await db.list()).rows.length, count + 1);
assert.equal((await db.fetch({ keys: ['a', 'b7'] })).rows[1].doc.n, 7);
assert.equal((await nano.db.get(name)).doc_count, count + 1);
done('documents');

// one page after the other, until there is nothing left
const first = await new Promise((resolve, reject) => {
  const rows = [];
  db.changesReader.get({ batchSize: 100, since: '0', timeout: 500 })
    .on('batch', batch => rows.push(...batch))
    .on('end', () => resolve(rows))
    .on('error', reject);
});
assert.equal(new Set(first.map(row => row.id)).size, count + 1);
done('pages of changes');

// the whole feed in one answer, line by line
const spooled = await new Promise((resolve, reject) => {
  const rows = [];
  db.changesReader.spool({ since: '0', includeDocs: true })
    .on('batch', batch => rows.push(...batch))
    .on('end', () => resolve(rows))
    .on('error', reject);
});
assert.equal(spooled.length, count + 1);
assert.equal(spooled.find(row => row.id === 'b7').doc.n, 7);
done('changes in one answer');

// follow
const live = db.changesReader.start({ since: 'now', wait: false, timeout: 5000 });
const change = new Promise((resolve, reject) => live.on('change', resolve).on('error', reject));
await new Promise(resolve => setTimeout(resolve, 300));
await db.insert({ late: true }, 'late');
assert.equal((await change).id, 'late');
db.changesReader.stop();
done('live changes');

await db.attachment.insert('file', 'hello.txt', Buffer.from('hello'), 'text/plain');
assert.equal((await db.attachment.get('file', 'hello.txt')).toString(), 'hello');
done('attachments');
await db.destroy('a', (await db.get('a'))._rev);
await assert.rejects(db.get('a'), { statusCode: 404 });
await nano.db.destroy(name);
console.log('done');
process.exit(0);
