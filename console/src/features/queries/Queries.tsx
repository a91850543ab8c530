import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Bucket, BUCKETS, quotedKeyspace } from '../../api/documents';
import { advised, call, explain, type Plan, run } from '../../api/queries';
import { useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { counted } from '../../ui/format';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { completion } from './completion';
import { HistoryList, remember } from './History';
import { PlanTree } from './PlanTree';
import { Results } from './Results';

const words = text.queries;
const FIRST = 'SELECT META().id, * FROM orders LIMIT 20';

type Outcome =
  | { kind: 'none' }
  | { kind: 'running' }
  | { kind: 'rows'; rows: unknown[]; time: string }
  | { kind: 'plan'; plan: Plan }
  | { kind: 'failed'; error: unknown };

/** A workbench for statements: write, run, see rows or the plan, run again. */
export function Queries() {
  const buckets = useLive<Bucket[]>(BUCKETS, 10_000);
  const [statement, edit] = useParameter('statement');
  const [outcome, turn] = useState<Outcome>({ kind: 'none' });
  const [version, changed] = useState(0);
  const running = useRef<AbortController>();
  const names = (buckets.data ?? []).flatMap((bucket) =>
    bucket.scopes.flatMap((scope) =>
      scope.collections.map((one) => quotedKeyspace({ bucket: bucket.name, scope: scope.name, collection: one.name })),
    ),
  );
  const complete = useMemo(() => completion(names), [names.join()]);
  const now = statement === '' ? suggestion(buckets.data) : statement;
  const start = async (work: (signal: AbortSignal) => Promise<Outcome>) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    turn({ kind: 'running' });
    try {
      turn(await work(abort.signal));
    } catch (error) {
      turn({ kind: 'failed', error: abort.signal.aborted ? new Error(words.stopped) : error });
    }
    remember(now);
    changed((n) => n + 1);
  };
  const execute = (one = now) =>
    void start(async (signal) => {
      const { results, metrics } = await run(one, signal);
      const plan = (results[0] as { plan?: Plan } | undefined)?.plan;
      return /^\s*explain\b/i.test(one) && plan !== undefined
        ? { kind: 'plan', plan }
        : { kind: 'rows', rows: results, time: elapsed(String(metrics?.['elapsedTime'] ?? '')) };
    });
  const plan = () =>
    void start(async (signal) => {
      const found = await explain(now, signal);
      return found === undefined ? { kind: 'rows', rows: [], time: '' } : { kind: 'plan', plan: found };
    });
  useEffect(() => () => running.current?.abort(), []);
  const index = outcome.kind === 'failed' && outcome.error instanceof Error ? advised(outcome.error.message) : undefined;
  return (
    <Page title={words.title}>
      <div class="split">
        <div class="stack">
          <Code doc={now} label={words.statement} language="text" changed={edit} run={() => execute()} complete={complete} lines={5} />
          <div class="row">
            {outcome.kind === 'running' ? (
              <button type="button" class="button danger" onClick={() => running.current?.abort()}>
                {text.actions.stop}
              </button>
            ) : (
              <button type="button" class="button primary" onClick={() => execute()}>
                {words.run}
              </button>
            )}
            <button type="button" class="button" disabled={outcome.kind === 'running'} onClick={plan}>
              {words.plan}
            </button>
            <CopyAs call={call(now)} cli={`./millrace query '${now.replaceAll("'", `'\\''`)}'`} />
            <span class="soft" role="status">
              {outcome.kind === 'running'
                ? words.running
                : outcome.kind === 'rows'
                  ? words.rows(counted(outcome.rows.length, 'row'), outcome.time)
                  : words.hint}
            </span>
          </div>
          {outcome.kind === 'failed' ? <Problem error={outcome.error} /> : null}
          {index === undefined ? null : (
            <div class="problem note">
              <p>{words.index}</p>
              <code>{index}</code>
              <button type="button" class="button" onClick={() => void run(index, new AbortController().signal).then(() => execute())}>
                {words.createIndex}
              </button>
            </div>
          )}
          {outcome.kind === 'rows' ? <Results rows={outcome.rows} /> : null}
          {outcome.kind === 'plan' ? <PlanTree plan={outcome.plan} /> : null}
          {outcome.kind === 'none' ? <p class="card pad soft">{words.empty}</p> : null}
        </div>
        <HistoryList key={version} take={edit} />
      </div>
    </Page>
  );
}

function suggestion(buckets: Bucket[] | undefined): string {
  const largest = [...(buckets ?? [])].sort((a, b) => b.documents - a.documents)[0];
  return largest === undefined ? FIRST : FIRST.replace('orders', '`' + largest.name + '`');
}

/** A time such as 280.113129ms without the digits that tell nothing. */
function elapsed(time: string): string {
  const [, number = '', unit = ''] = /^([\d.]+)(\D+)$/.exec(time) ?? [];
  return number === '' ? time : `${Number(number).toPrecision(3)} ${unit}`;
}
