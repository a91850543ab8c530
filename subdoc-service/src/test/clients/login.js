// Logs PouchDB in by a cookie: node login.js <url of the server> <prefix of database names> <user> <password>
import assert from 'node:assert/strict';
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import memory from 'pouchdb-adapter-memory';
import replication from 'pouchdb-replication';

PouchDB.plugin(http).plugin(memory).plugin(replication);

const [server, prefix, name, password] = process.argv.slice(2);

// as a browser does: keeps the cookie that the server sets, and sends it with each request
let cookie = '';
async function send(url, options = {}) {
  const headers = new Headers(options.headers);
  if (cookie) {
    headers.set('Cookie', cookie);
  }
  const response = await fetch(url, { ...options, headers });
  for (const set of response.headers.getSetCookie()) {
    cookie = set.includes('Max-Age=0') ? '' : set.split(';')[0];
  }
  return response;
}

async function session(method, body) {
  const response = await send(server + '_session', {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

const remote = new PouchDB(server + prefix + 'login', { fetch: send });
const local = new PouchDB(prefix + 'local', { adapter: 'memory' });
await local.bulkDocs([{ _id: 'a', n: 1 }, { _id: 'b', n: 2 }]);

await assert.rejects(remote.info(), { status: 401 });
assert.equal((await session('POST', { name, password: password + 'x' }))[0], 401);
assert.equal(cookie, '');

const [status, who] = await session('POST', { name, password });
assert.deepEqual([status, who.ok, who.name, who.roles], [200, true, name, ['_admin']]);
assert.match(cookie, /^AuthSession=/);
assert.equal((await session('GET'))[1].userCtx.name, name);
assert.equal((await local.replicate.to(remote)).docs_written, 2);
assert.equal((await remote.get('a')).n, 1);

assert.deepEqual(await session('DELETE'), [200, { ok: true }]);
assert.equal((await session('GET'))[1].userCtx.name, null);
await assert.rejects(remote.get('a'), { status: 401 });
console.log('done');
