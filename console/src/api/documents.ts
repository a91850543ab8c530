import { type Call, get, path, search } from './http';

export type { Bucket, Collection, QueryResponse, Scope } from '../../generated/documents';

export interface Keyspace {
  bucket: string;
  scope: string;
  collection: string;
}

export const BUCKETS = 'api/v1/buckets';
export const DEFAULT = '_default';

export const isDefault = ({ scope, collection }: Keyspace): boolean => scope === DEFAULT && collection === DEFAULT;

export function keyspacePath(keyspace: Keyspace): string {
  const bucket = path`api/v1/buckets/${keyspace.bucket}`;
  return isDefault(keyspace) ? bucket : bucket + path`/scopes/${keyspace.scope}/collections/${keyspace.collection}`;
}

export const documentPath = (keyspace: Keyspace, id: string): string => keyspacePath(keyspace) + path`/docs/${id}`;

/** The keyspace as a query names it. */
export function quotedKeyspace({ bucket, scope, collection }: Keyspace): string {
  const quote = (name: string) => '`' + name.replaceAll('`', '``') + '`';
  return isDefault({ bucket, scope, collection }) ? quote(bucket) : [bucket, scope, collection].map(quote).join('.');
}

export const calls = {
  createBucket: (bucket: string): Call => ({ method: 'PUT', path: path`api/v1/buckets/${bucket}` }),
  createScope: (bucket: string, scope: string): Call => ({ method: 'PUT', path: path`api/v1/buckets/${bucket}/scopes/${scope}` }),
  createCollection: ({ bucket, scope, collection }: Keyspace): Call => ({
    method: 'PUT',
    path: path`api/v1/buckets/${bucket}/scopes/${scope}/collections/${collection}`,
  }),
  deleteBucket: (bucket: string): Call => ({ method: 'DELETE', path: path`api/v1/buckets/${bucket}` }),
  read: (keyspace: Keyspace, id: string): Call => ({ method: 'GET', path: documentPath(keyspace, id) }),
  write: (keyspace: Keyspace, id: string, body: string, condition: Record<string, string>, expiry?: string): Call => ({
    method: 'PUT',
    path: documentPath(keyspace, id) + search({ expiry }),
    body,
    type: 'application/json',
    headers: condition,
  }),
  remove: (keyspace: Keyspace, id: string, etag: string): Call => ({
    method: 'DELETE',
    path: documentPath(keyspace, id),
    headers: { 'If-Match': etag },
  }),
  touch: (keyspace: Keyspace, id: string, expiry: string): Call => ({
    method: 'POST',
    path: documentPath(keyspace, id) + '/touch' + search({ expiry }),
  }),
  xattrs: (keyspace: Keyspace, id: string, body: string, etag: string): Call => ({
    method: 'PUT',
    path: documentPath(keyspace, id) + '/xattrs',
    body,
    type: 'application/json',
    headers: { 'If-Match': etag },
  }),
};

/** What the API of CouchDB says about the revisions of a document, newest first. */
export interface CouchRevisions {
  _rev: string;
  _revs_info?: { rev: string; status: string }[];
  /** Of other writers, which lost against the one that is shown. */
  _conflicts?: string[];
}

const couchPath = (bucket: string, id: string): string => path`couch/${bucket}/${id}`;
export const revisionsPath = (bucket: string, id: string): string => couchPath(bucket, id) + search({ revs_info: true, conflicts: true });
export const revisionPath = (bucket: string, id: string, rev: string): string => couchPath(bucket, id) + search({ rev });

interface AllDocs {
  rows: { id: string }[];
}

interface Rows<R> {
  results: R[];
}

/** The highest code point sorts after every id with the prefix. */
const LAST = '\u{10ffff}';

/** Ids with a prefix, in order, after an id. */
export async function ids(keyspace: Keyspace, prefix: string, after: string | undefined, limit: number): Promise<string[]> {
  if (isDefault(keyspace)) {
    const page = await get<AllDocs>(
      path`couch/${keyspace.bucket}/_all_docs` +
        search({
          limit: limit + (after === undefined ? 0 : 1),
          startkey: JSON.stringify(after ?? prefix),
          endkey: prefix === '' ? undefined : JSON.stringify(prefix + LAST),
        }),
    );
    return page.rows.map((row) => row.id).filter((id) => id !== after && !id.startsWith('_design/')).slice(0, limit);
  }
  const statement =
    `SELECT RAW META(k).id FROM ${quotedKeyspace(keyspace)} k` +
    ` WHERE META(k).id >= $from AND META(k).id < $until ORDER BY META(k).id LIMIT ${limit}`;
  const from = after === undefined ? prefix : `${after}\u0000`;
  const answer = await get<Rows<string>>(
    'query/service' + search({ statement, $from: JSON.stringify(from), $until: JSON.stringify(prefix + LAST) }),
  );
  return answer.results;
}
