import { useState } from 'preact/hooks';
import { isDefault, type Keyspace } from '../../api/documents';
import { type AllStates, type Definition, nameOfDefinition, nameOfState, STATES } from '../../api/functions';
import { path } from '../../api/http';
import { useLive, useStream } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Status } from '../../ui/Status';
import { Time } from '../../ui/Time';

const words = text.documents;
const KEPT = 500;

interface Change {
  seq: string;
  id: string;
  deleted?: boolean;
  doc?: Record<string, unknown>;
}

interface Shown extends Change {
  at: number;
}

/** The changes of a bucket as they happen, and the functions that receive them. */
export function Changes({ keyspace }: { keyspace: Keyspace }) {
  const feed = path`couch/${keyspace.bucket}/_changes?feed=eventsource&since=now&include_docs=true&heartbeat=15000`;
  const [changes, set] = useState<Shown[]>([]);
  const functions = useLive<Definition[]>('api/v1/functions', 10_000);
  const states = useLive<AllStates>(STATES);
  const follows = isDefault(keyspace);
  useStream<Change>(follows ? feed : null, {
    events: (events) =>
      set((before) => [...events.reverse().map((event) => ({ ...event, at: Date.now() })), ...before].slice(0, KEPT)),
  });
  if (!follows) {
    return <p class="card pad soft">{words.changesDefault}</p>;
  }
  const running = new Set(states.data?.apps.filter(({ composite_status }) => composite_status === 'deployed').map(nameOfState));
  const readers = (functions.data ?? [])
    .filter(({ depcfg }) => depcfg.source_bucket === keyspace.bucket)
    .map(nameOfDefinition)
    .filter((name) => running.has(name));
  return (
    <div class="stack">
      {readers.length === 0 ? null : (
        <p class="row">
          <span class="soft">{words.seenBy}</span>
          {readers.map((name) => (
            <a key={name} href={to(['functions', name, 'log'])}>
              {name}
            </a>
          ))}
        </p>
      )}
      {changes.length === 0 ? (
        <p class="card pad soft">{words.changesEmpty}</p>
      ) : (
        <ul class="card changes" aria-live="off">
          {changes.map((change) => (
            <li key={change.seq}>
              <span class="row between">
                <a class="mono break" href={to(['documents', keyspace.bucket], { id: change.id })}>
                  {change.id}
                </a>
                <span class="row">
                  {change.deleted ? (
                    <Status tone="failed" shape="ring" word={words.change.deleted} />
                  ) : (
                    <Status tone="ok" shape="disc" word={words.change.updated} />
                  )}
                  <span class="soft">
                    <Time at={change.at} />
                  </span>
                </span>
              </span>
              <code class="soft break">{body(change.doc)}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The document without what CouchDB's form adds to it. */
function body(doc: Record<string, unknown> | undefined): string {
  const own = Object.entries(doc ?? {}).filter(([name]) => !name.startsWith('_'));
  return own.length === 0 ? '' : JSON.stringify(Object.fromEntries(own)).slice(0, 400);
}
