import { calls, documentPath, type Keyspace } from '../../api/documents';
import { ApiError, send } from '../../api/http';

/** A document as it was read, with what its headers say. */
export interface Stored {
  body: string;
  etag: string;
  seqno: string;
  vbucket: string;
  expiry: string;
  json: boolean;
  xattrs: string;
}

/** Reads a document with its attributes; null if it does not exist. */
export async function read(keyspace: Keyspace, id: string): Promise<Stored | null> {
  try {
    const { body, headers } = await send<string>({ ...calls.read(keyspace, id), raw: true });
    const xattrs = await send<string>({ method: 'GET', path: `${documentPath(keyspace, id)}/xattrs`, raw: true });
    return {
      body,
      etag: headers.get('ETag') ?? '',
      seqno: headers.get('Millrace-Seqno') ?? '',
      vbucket: headers.get('Millrace-Vbucket') ?? '',
      expiry: headers.get('Millrace-Expiry') ?? '',
      json: headers.get('Content-Type')?.includes('json') === true,
      xattrs: xattrs.body,
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return null;
    }
    throw error;
  }
}

/** What is wrong with a text as JSON; empty if nothing is. */
export function jsonMistake(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The body of a document in CouchDB's form, without the id and the revision that stand at its beginning; numbers stay as they are. */
export function ownMembers(couch: string): string {
  return couch.replace(/^\{"_id":"(?:[^"\\]|\\.)*","_rev":"[^"]*",?/, '{');
}
