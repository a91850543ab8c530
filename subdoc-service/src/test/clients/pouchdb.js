// Drives a server with PouchDB: node pouchdb.js <url of the server> <prefix of database names> <documents> <live documents>
import assert from 'node:assert/strict';
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import memory from 'pouchdb-adapter-memory';
import replication from 'pouchdb-replication';

PouchDB.plugin(http).plugin(memory).plugin(replication);

const [server, prefix, ...counts] = process.argv.slice(2);
const [count, liveCount] = counts.map(Number);
const remote = new PouchDB(server + prefix + 'pouch');
const local = new PouchDB(prefix + 'local', { adapter: 'memory' });
const other = new PouchDB(prefix + 'other', { adapter: 'memory' });

const numbered = (count, make) => Array.from({ length: count }, (_, n) => make(n));

// every document of a database with its winner and all its leaves
async function state(db) {
  const changes = await db.changes({ style: 'all_docs', include_docs: true });
  return Object.fromEntries(changes.results.map(row => [row.id, {
    leaves: row.changes.map(change => change.rev).sort(),
    deleted: row.deleted === true,
    body: { ...row.doc, _attachments: Object.keys(row.doc._attachments ?? {}) },
  }]));
}

// asks the test that runs this script to restart the server, and waits until that is done
async function restart() {
  console.log('restart');
  await new Promise(resolve => process.stdin.once('data', resolve));
}

async function step(name, work) {
  const begin = Date.now();
  await work();
  console.log(`${name}: ${Date.now() - begin} ms`);
}

await step('push documents', async () => {
  await local.bulkDocs(numbered(count, n => ({ _id: 'd' + n, n, text: 'x'.repeat(100) })));
  const result = await local.replicate.to(remote);
  assert.equal(result.docs_written, count);
  assert.equal((await remote.info()).doc_count, count);
});

await step('pull them', async () => {
  const result = await other.replicate.from(remote);
  assert.equal(result.docs_written, count);
  assert.deepEqual(await state(other), await state(remote));
});

await step('conflicts in both directions', async () => {
  for (const [db, who] of [[local, 'local'], [other, 'other'], [remote, 'remote']]) {
    const rows = await db.allDocs({ keys: numbered(50, n => 'd' + n), include_docs: true });
    await db.bulkDocs(rows.rows.map(row => ({ ...row.doc, who })));
  }
  await local.sync(remote);
  await other.sync(remote);
  await local.sync(remote);
  const all = await state(remote);
  assert.equal(all.d0.leaves.length, 3);
  assert.deepEqual(await state(local), all);
  assert.deepEqual(await state(other), all);
});

await step('conflicts resolved and documents deleted', async () => {
  for (let n = 0; n < 20; n++) {
    const doc = await remote.get('d' + n, { conflicts: true });
    for (const rev of doc._conflicts) {
      await remote.remove(doc._id, rev);
    }
  }
  await remote.remove(await remote.get('d99'));
  await local.sync(remote);
  await other.sync(remote);
  const all = await state(remote);
  assert.equal(all.d99.deleted, true);
  assert.deepEqual(await state(local), all);
  assert.deepEqual(await state(other), all);
});

await step('attachments', async () => {
  const bytes = Buffer.from(numbered(50000, n => n % 251));
  const { rev } = await local.putAttachment('with', 'data.bin', bytes, 'application/octet-stream');
  await local.put({ _id: 'with', _rev: rev, more: true, _attachments: { 'data.bin': { stub: true, content_type: 'application/octet-stream' } } })
    .catch(() => local.get('with').then(doc => local.put({ ...doc, more: true })));
  await local.replicate.to(remote);
  assert.deepEqual(Buffer.from(await remote.getAttachment('with', 'data.bin')), bytes);
  await other.replicate.from(remote);
  assert.deepEqual(Buffer.from(await other.getAttachment('with', 'data.bin')), bytes);
});

await step('resume from a checkpoint', async () => {
  await other.replicate.from(remote);
  const nothing = await other.replicate.from(remote);
  assert.equal(nothing.docs_read, 0);
  await remote.bulkDocs(numbered(10, n => ({ _id: 'late' + n })));
  await restart();
  const result = await new PouchDB(prefix + 'other', { adapter: 'memory' }).replicate.from(remote);
  assert.equal(result.docs_read, 10);
});

await step('live changes while documents are written', async () => {
  const seen = new Set();
  const feed = remote.changes({ live: true, since: 'now', heartbeat: 1000 });
  const all = new Promise((resolve, reject) => {
    feed.on('error', reject).on('change', change => {
      seen.add(change.id);
      if (seen.size === liveCount) {
        resolve();
      }
    });
  });
  await new Promise(resolve => setTimeout(resolve, 200));
  for (let batch = 0; batch < liveCount / 500; batch++) {
    await remote.bulkDocs(numbered(500, n => ({ _id: `live-${batch}-${n}` })));
  }
  await all;
  feed.cancel();
});

await remote.destroy();
console.log('done');
process.exit(0);
