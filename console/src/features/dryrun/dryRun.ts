import type { DryRun, DryRunResult, Invocation } from '../../../generated/functions';
import { functionPath } from '../../api/functions';
import type { Call } from '../../api/http';
import type { Plan } from '../../api/queries';
import { text } from '../../text';
import { answersOf } from './answers';

export type { DryRun, DryRunResult, Invocation };

/** What the code would have done; which members there are depends on the kind. */
export interface Effect {
  kind: 'write' | 'delete' | 'timer' | 'cancel_timer' | 'request' | 'statement' | 'sql' | 'message' | 'log';
  bucket?: string;
  scope?: string;
  collection?: string;
  id?: string;
  before?: unknown;
  after?: unknown;
  expiry?: string;
  callback?: string;
  reference?: string;
  due?: string;
  context?: unknown;
  existed?: boolean;
  method?: string;
  url?: string;
  path?: string;
  body?: unknown;
  status?: number;
  assumed?: boolean;
  text?: string;
  binding?: string;
  named?: unknown;
  positional?: unknown;
  topic?: string;
  key?: string;
  content?: unknown;
  /** Of a statement, as EXPLAIN gives it. */
  plan?: Plan;
  level?: string;
}

/** Where the changes come from. */
export const INPUTS = ['document', 'last', 'change', 'letter'] as const;
/** Those of a function on event streams. */
export const EVENT_INPUTS = ['event', 'last', 'given', 'letter'] as const;
export type Input = (typeof INPUTS)[number] | (typeof EVENT_INPUTS)[number];

export interface Wanted {
  input: Input;
  /** Of a document, a given change or a dead letter; the name of a stream. */
  id: string;
  /** Of an event in its stream. */
  index: string;
  /** Of a given event. */
  type: string;
  last: string;
  /** The body of a given change. */
  body: string;
  /** The number of a version; empty for what is saved, or the draft. */
  version: string;
  draft: string | undefined;
  compare: boolean;
  /** Whether answers that are not given are asked for. */
  record: boolean;
  /** The answers that are given, in JSON; empty for none. */
  answers: string;
}

/**
 * @throws Error when the body of a given change is not JSON, or the answers are not an object in JSON
 */
export function callOf(name: string, wanted: Wanted): Call {
  const { input, id, index, type, last, body, version, draft, compare, record, answers } = wanted;
  const run: DryRun = {
    ...(draft === undefined ? {} : { code: draft }),
    ...(version === '' || draft !== undefined ? {} : { version: Number(version) }),
    ...(compare ? { compare: {} } : {}),
    ...(record ? { record } : {}),
    ...answersOf(answers),
    ...(input === 'document' ? { document: { id } } : {}),
    ...(input === 'event' ? { event: { stream: id, index: Number(index) } } : {}),
    ...(input === 'given' ? { event: { stream: id, type, data: parsed(body) } } : {}),
    ...(input === 'letter' ? { letter: id } : {}),
    ...(input === 'last' ? { last: Number(last) } : {}),
    ...(input === 'change' ? { change: { id, document: parsed(body) } } : {}),
  } as DryRun;
  return { method: 'POST', path: functionPath(name, '/dry-run'), json: run };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    throw new Error(text.documents.notJson((error as SyntaxError).message));
  }
}

export const effectsOf = (invocation: Invocation): Effect[] => (invocation.effects ?? []) as unknown as Effect[];

/** Which effects two invocations do not share, as one text each to compare. */
export function described(invocation: Invocation): string {
  const { result, error, effects } = invocation;
  return JSON.stringify({ result, ...(error === undefined ? {} : { error }), effects }, null, 2);
}
