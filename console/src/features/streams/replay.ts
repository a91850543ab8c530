import type { Bucket } from '../../../generated/documents';
import type { DryRun, DryRunResult } from '../../../generated/functions';
import { BUCKETS } from '../../api/documents';
import { functionPath } from '../../api/functions';
import { type Call, get, path, search, send } from '../../api/http';
import { effectsOf } from '../dryrun/dryRun';
import type { StreamEvent } from './Streams';

/** A dry run shows so many effects, and each state is one. */
const MOST_EVENTS = 1000;

const FIRST_FOLD = `// Returns the state after an event.
function fold(state, event) {
  return { ...state, ...event.data };
}
`;

/** Begins behind the typed code, so that lines keep their numbers. */
const REPLAY = `
function OnEvent(events) {
  let state = {};
  for (const event of events) {
    state = fold(state, event);
    log(state);
  }
}
`;

/** The name of the function that is tried, and never saved. */
const NAME = 'fold';

const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));
const keyOf = (stream: string): string => `millrace.fold.${categoryOf(stream)}`;

/** The code that was used last for streams of the same category. */
export function usualFold(stream: string): string {
  try {
    return localStorage.getItem(keyOf(stream)) ?? FIRST_FOLD;
  } catch {
    return FIRST_FOLD;
  }
}

function remember(stream: string, code: string): void {
  try {
    localStorage.setItem(keyOf(stream), code);
  } catch {
    // without storage the code lasts for this page
  }
}

/** The state after each of the events. */
export interface Replayed {
  events: StreamEvent[];
  states: string[];
}

/** Replays the kept events of a stream, the oldest first, in a dry run: the services run the code, and nothing takes effect. */
export async function replay(stream: string, base: number, code: string): Promise<Replayed> {
  const events = await get<StreamEvent[]>(path`api/v1/streams/${stream}/events` + search({ from: base, max: MOST_EVENTS }));
  const buckets = await get<Bucket[]>(BUCKETS);
  const { body } = await send<DryRunResult>(callOf(stream, code, events, buckets[0]?.name ?? 'eventing'));
  const [invocation] = body.invocations ?? [];
  if (invocation?.result !== 'success') {
    const { error = '', line, column } = invocation ?? {};
    throw new Error(line === undefined || line === 0 ? error : `${error} (${line}:${column ?? 1})`);
  }
  remember(stream, code);
  const states = effectsOf(invocation).filter(({ kind }) => kind === 'log');
  return { events, states: states.map(({ text = '' }) => text).slice(-events.length) };
}

function callOf(stream: string, code: string, events: StreamEvent[], metadata: string): Call {
  const run: DryRun = {
    definition: {
      appname: NAME,
      appcode: code + REPLAY,
      depcfg: { source_category: categoryOf(stream), metadata_bucket: metadata },
    },
    event: { stream, type: 'Replayed', data: events },
  };
  return { method: 'POST', path: functionPath(NAME, '/dry-run'), json: run };
}
