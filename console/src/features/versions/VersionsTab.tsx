import { useEffect, useState } from 'preact/hooks';
import { calls, functionPath, type FunctionVersion, type VersionPage, versionsPath } from '../../api/functions';
import { send } from '../../api/http';
import { useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Confirm } from '../../ui/Dialog';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import type { Shown } from '../functions/FunctionPage';

const words = text.versions;

/** Every save of a function: who, when, why, what changed, and the way back. */
export function VersionsTab({ name, reload }: Shown) {
  const page = useLive<VersionPage>(versionsPath(name), 5000);
  const [open, show] = useParameter('version');
  const [asked, ask] = useState<FunctionVersion>();
  if (page.data === undefined) {
    return page.error === undefined ? <Loading label={text.loading} /> : <Problem error={page.error} />;
  }
  if (page.data.versions.length === 0) {
    return <p class="card pad soft">{words.empty}</p>;
  }
  const rollBack = ({ version }: FunctionVersion) =>
    void send(calls.rollback(name, version)).then(
      () => {
        toast(words.done(version));
        page.refresh();
        reload();
      },
      (error: Error) => toast(error.message, true),
    );
  return (
    <div class="stack">
      <ul class="card">
        {page.data.versions.map((version) => (
          <li key={version.version} class="letter">
            <div class="row between">
              <button
                type="button"
                class="button quiet"
                aria-expanded={open === String(version.version)}
                onClick={() => show(open === String(version.version) ? '' : String(version.version))}
              >
                {words.columns.version} {version.version}
              </button>
              <span class="row grow">
                {version.current ? <span class="chip">{words.current}</span> : null}
                {(version.changed ?? []).map((part) => (
                  <span key={part} class="chip">
                    {part}
                  </span>
                ))}
                <span class="break">{version.note}</span>
              </span>
              <span class="row">
                <span class="soft">
                  {version.author} <Time at={version.time} />
                </span>
                {version.current ? null : (
                  <button type="button" class="button" onClick={() => ask(version)}>
                    {words.rollback}
                  </button>
                )}
              </span>
            </div>
            {open === String(version.version) ? <Changes name={name} version={version.version} /> : null}
          </li>
        ))}
      </ul>
      {asked === undefined ? null : (
        <Confirm
          title={words.rollbackTitle(asked.version)}
          body={words.rollbackBody}
          verb={words.rollback}
          call={calls.rollback(name, asked.version)}
          close={() => ask(undefined)}
          act={() => rollBack(asked)}
        />
      )}
    </div>
  );
}

/** The lines that name what is compared, which are not changes. */
const HEAD = /^(---|\+\+\+) .*\tversion \d+$/;

/** The server's own comparison with the version before. */
function Changes({ name, version }: { name: string; version: number }) {
  const [diff, set] = useState<string>();
  const [error, fail] = useState<unknown>();
  const call = { method: 'GET' as const, path: functionPath(name, `/versions/${version}/diff`), headers: { Accept: 'text/plain' } };
  useEffect(() => {
    send<string>({ ...call, raw: true }).then(
      ({ body }) => set(body),
      (failure: unknown) => fail(failure),
    );
  }, [version]);
  if (error !== undefined) {
    return <Problem error={error} />;
  }
  return (
    <div class="letter-open stack tight">
      <pre class="block diff" tabIndex={0}>
        {diff === undefined
          ? text.loading
          : (diff === '' ? words.same : diff).split('\n').map((line, i) => (
              <span key={i} class={HEAD.test(line) ? 'soft' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}>
                {line}
              </span>
            ))}
      </pre>
      <CopyAs call={call} />
    </div>
  );
}
