// Uses PouchDB as a page of another origin does: node cors.js <url of the server> <prefix> <user> <password> <origin> <foreign origin>
import assert from 'node:assert/strict';
import PouchDB from 'pouchdb-core';
import http from 'pouchdb-adapter-http';
import memory from 'pouchdb-adapter-memory';
import replication from 'pouchdb-replication';

PouchDB.plugin(http).plugin(memory).plugin(replication);

const [server, prefix, username, password, origin, foreign] = process.argv.slice(2);
const SIMPLE_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
let preflights = 0;

function checkAdmitted(response, from, what) {
  if (response.headers.get('Access-Control-Allow-Origin') !== from) {
    throw new TypeError(`${what} does not admit ${from}`);
  }
  if (response.headers.get('Access-Control-Allow-Credentials') !== 'true') {
    throw new TypeError(`${what} admits no credentials`);
  }
}

/** What the Fetch standard makes a browser do for a request with credentials to another origin. */
function browserAt(from) {
  return async (url, options = {}) => {
    const method = (options.method ?? 'GET').toUpperCase();
    const headers = new Headers(options.headers);
    const unusual = [...headers.keys()]
      .filter((name) => !['accept', 'accept-language', 'content-language'].includes(name))
      .filter((name) => name !== 'content-type' || !SIMPLE_TYPES.includes(headers.get(name)));
    if (unusual.length > 0 || !['GET', 'HEAD', 'POST'].includes(method)) {
      preflights++;
      const asked = { Origin: from, 'Access-Control-Request-Method': method, 'Sec-Fetch-Site': 'cross-site' };
      if (unusual.length > 0) {
        asked['Access-Control-Request-Headers'] = unusual.join(',');
      }
      const preflight = await fetch(url, { method: 'OPTIONS', headers: asked });
      checkAdmitted(preflight, from, 'the preflight');
      const names = (header) => (preflight.headers.get(header) ?? '').split(',').map((name) => name.trim().toLowerCase());
      const missing = unusual.filter((name) => !names('Access-Control-Allow-Headers').includes(name));
      if (!preflight.ok || missing.length > 0 || !names('Access-Control-Allow-Methods').includes(method.toLowerCase())) {
        throw new TypeError(`the preflight refuses ${method} with ${missing}`);
      }
    }
    headers.set('Origin', from);
    headers.set('Sec-Fetch-Site', 'cross-site');
    const response = await fetch(url, { ...options, headers });
    checkAdmitted(response, from, 'the answer');
    return response;
  };
}

function database(from, auth) {
  return new PouchDB(server + prefix + 'cors', { fetch: browserAt(from), auth });
}

const remote = database(origin, { username, password });
const local = new PouchDB(prefix + 'cors-local', { adapter: 'memory' });
await local.bulkDocs([{ _id: 'a', n: 1 }, { _id: 'b', n: 2 }]);

assert.equal((await local.replicate.to(remote)).docs_written, 2);
assert.equal((await remote.get('a')).n, 1);
assert.equal((await remote.put({ _id: 'c' })).ok, true);
assert.equal((await local.replicate.from(remote)).docs_written, 1);
assert.ok(preflights > 0);

await assert.rejects(database(origin, { username, password: password + 'x' }).info(), { status: 401 });
await assert.rejects(database(foreign, { username, password }).info(), /does not admit/);
await assert.rejects(database(foreign, { username, password }).put({ _id: 'd' }), /does not admit/);
await assert.rejects(remote.get('d'), { status: 404 });
console.log('done');
