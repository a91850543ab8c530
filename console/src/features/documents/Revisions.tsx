import { useEffect, useState } from 'preact/hooks';
import { type CouchRevisions, revisionPath, revisionsPath } from '../../api/documents';
import { get, send } from '../../api/http';
import { text } from '../../text';
import { Diff } from '../../ui/Diff';
import { pretty } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Status } from '../../ui/Status';
import { ownMembers, type Stored } from './stored';

const words = text.documents.revisions;
const MOST_BEFORE = 20;

/** The revisions of a document as replicas see them: the one that is shown, those before it, and those of other writers. */
export function Revisions({ bucket, id, stored }: { bucket: string; id: string; stored: Stored }) {
  const [found, set] = useState<CouchRevisions>();
  const [error, fail] = useState<unknown>();
  useEffect(() => {
    get<CouchRevisions>(revisionsPath(bucket, id)).then(set, fail);
  }, [bucket, id, stored.etag]);
  if (error !== undefined) {
    return <Problem error={error} />;
  }
  if (found === undefined) {
    return null;
  }
  const [current, ...before] = found._revs_info ?? [];
  const conflicts = found._conflicts ?? [];
  return (
    <section class="card pad stack tight">
      <h3>{words.title}</h3>
      {conflicts.length === 0 ? null : <p class="soft">{words.conflicts}</p>}
      <ul class="revisions">
        <Revision rev={current?.rev ?? found._rev} tone="ok" shape="disc" word={words.shown} />
        {conflicts.map((rev) => (
          <Other key={rev} bucket={bucket} id={id} rev={rev} stored={stored} />
        ))}
        {before.slice(0, MOST_BEFORE).map(({ rev }) => (
          <Revision key={rev} rev={rev} tone="idle" shape="ring" word={words.before} />
        ))}
      </ul>
    </section>
  );
}

interface Shown {
  rev: string;
  tone: 'ok' | 'idle';
  shape: 'disc' | 'ring';
  word: string;
}

function Revision({ rev, tone, shape, word }: Shown) {
  return (
    <li class="row between">
      <span class="mono break">{rev}</span>
      <Status tone={tone} shape={shape} word={word} />
    </li>
  );
}

/** A revision that another replica wrote at the same time, with what it has in another way. */
function Other({ bucket, id, rev, stored }: { bucket: string; id: string; rev: string; stored: Stored }) {
  const [body, set] = useState<string>();
  const [error, fail] = useState<unknown>();
  const open = (event: Event) => {
    if ((event.currentTarget as HTMLDetailsElement).open && body === undefined) {
      send<string>({ method: 'GET', path: revisionPath(bucket, id, rev), raw: true }).then((answer) => set(ownMembers(answer.body)), fail);
    }
  };
  return (
    <li>
      <details onToggle={open}>
        <summary class="row between">
          <span class="mono break">{rev}</span>
          <Status tone="warn" shape="triangle" word={words.other} />
        </summary>
        {error === undefined ? null : <Problem error={error} />}
        {body === undefined ? null : (
          <>
            <p class="soft">{words.sides}</p>
            <Diff before={pretty(stored.body)} after={pretty(body)} />
          </>
        )}
      </details>
    </li>
  );
}
