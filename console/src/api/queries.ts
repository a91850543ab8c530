import type { QueryResponse } from '../../generated/documents';
import { type Call, send } from './http';

export interface Plan {
  '#operator': string;
  [name: string]: unknown;
}

export const call = (statement: string): Call => ({ method: 'POST', path: 'query/service', json: { statement } });

export async function run(statement: string, signal: AbortSignal): Promise<QueryResponse> {
  return (await send<QueryResponse>(call(statement), signal)).body;
}

/** The plan of a statement; one that is an EXPLAIN already is not explained again. */
export async function explain(statement: string, signal: AbortSignal): Promise<Plan | undefined> {
  const asked = /^\s*explain\b/i.test(statement) ? statement : `EXPLAIN ${statement}`;
  const { results } = await run(asked, signal);
  return (results[0] as { plan?: Plan } | undefined)?.plan;
}

/** What the server advises when a keyspace has no index. */
export function advised(message: string): string | undefined {
  return /Use (CREATE PRIMARY INDEX ON [^ ]+)/.exec(message)?.[1]?.replace('default:', '');
}
