import { useEffect, useState } from 'preact/hooks';
import { type Call, get } from '../../api/http';
import { useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Loading } from '../../ui/Empty';
import { SearchField } from '../../ui/SearchField';
import { pretty } from '../../ui/format';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';

const words = text.configuration;

interface Entry {
  path: string;
  rev: string;
  value?: string;
  sensitive?: boolean;
}

interface Change {
  rev: string;
  deleted: boolean;
  sensitive?: boolean;
  value?: string;
  time: string;
  changedBy?: string;
}

/** Values travel in base64, because they need not be text. */
function decoded(value: string | undefined): string {
  const bytes = Uint8Array.from(atob(value ?? ''), (one) => one.charCodeAt(0));
  return pretty(new TextDecoder().decode(bytes));
}

const call = (path: string): Call => ({ method: 'GET', path: '_metakv' + path.split('/').map(encodeURIComponent).join('/') });

/** The entries that the services agree on. */
export function Configuration() {
  const entries = useLive<Entry[]>('_metakv/', 4000);
  const [prefix, find] = useParameter('prefix', '/');
  const [chosen, choose] = useParameter('path');
  const shown = (entries.data ?? []).filter(({ path }) => path.startsWith(prefix));
  const entry = entries.data?.find(({ path }) => path === chosen);
  return (
    <Page title={words.title} under={words.says}>
      {entries.error === undefined ? null : <Problem error={entries.error} retry={entries.refresh} />}
      {entries.data === undefined && entries.error === undefined ? <Loading label={text.loading} /> : null}
      {entries.data === undefined ? null : (
        <div class="browser">
          <section class="stack tight">
            <SearchField label={words.path} value={prefix} change={find} mono />
            {shown.length === 0 ? (
              <p class="soft">{words.none}</p>
            ) : (
              <ul class="card ids">
                {shown.map(({ path }) => (
                  <li key={path}>
                    <button type="button" class="mono" aria-current={path === chosen} onClick={() => choose(path)}>
                      {path}
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </section>
          {entry === undefined ? <p class="card pad soft">{words.pick}</p> : <EntryPane key={`${entry.path} ${entry.rev}`} entry={entry} />}
        </div>
      )}
    </Page>
  );
}

function Value({ sensitive, value }: { sensitive: boolean | undefined; value: string | undefined }) {
  return sensitive ? (
    <p class="soft">{words.sensitive}</p>
  ) : (
    <pre class="block" tabIndex={0}>
      {decoded(value)}
    </pre>
  );
}

function EntryPane({ entry }: { entry: Entry }) {
  const [history, set] = useState<Change[]>([]);
  useEffect(() => {
    get<Change[]>(`${call(entry.path).path}?history`).then(set, () => undefined);
  }, []);
  return (
    <section class="stack">
      <div class="row between">
        <h2 class="mono break">{entry.path}</h2>
        <CopyAs call={call(entry.path)} />
      </div>
      <Value sensitive={entry.sensitive} value={entry.value} />
      <h2>{words.history}</h2>
      <ul class="card">
        {history.map((change) => (
          <li key={change.rev} class="letter">
            <details>
              <summary class="row between">
                <span>
                  <Time at={change.time} /> {change.changedBy ? words.by(change.changedBy) : ''}
                </span>
                {change.deleted ? <span class="chip">{words.deleted}</span> : null}
              </summary>
              {change.deleted ? null : <Value sensitive={change.sensitive} value={change.value} />}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
