import { useMemo } from 'preact/hooks';
import { type By, followed, hops, type Span, stepsOf, type Trace, type Traces, tracesPath } from '../../api/traces';
import { useLive } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { Empty, Loading } from '../../ui/Empty';
import { micros } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Status } from '../../ui/Status';
import { Time } from '../../ui/Time';

const words = text.traces;
const EVERY_MILLIS = 5000;

/** The newest traces that were found, as they come. */
export function Found({ by, value, bucket }: { by: By; value: string; bucket?: string }) {
  const found = useLive<Traces>(tracesPath(by, value), EVERY_MILLIS);
  if (found.data === undefined) {
    return found.error === undefined ? <Loading label={text.loading} /> : <Problem error={found.error} retry={found.refresh} />;
  }
  const { traces } = found.data;
  return traces.length === 0 ? (
    <Teaches says={words.none(value)} bucket={bucket} />
  ) : (
    <DataTable caption={words.caption} columns={COLUMNS} rows={traces} id={({ trace }) => trace} sort="order" />
  );
}

/** Says which changes have traces, with a write that has one. */
export function Teaches({ says, bucket = words.bucket }: { says?: string; bucket?: string | undefined }) {
  const { call, id } = useMemo(() => followed(bucket), [bucket]);
  return (
    <div class="card">
      <Empty says={says === undefined ? words.teaches : `${says} ${words.teaches}`} call={call}>
        <a class="button" href={to(['traces', id])}>
          {words.watch}
        </a>
      </Empty>
    </div>
  );
}

/** The write or the call that a trace began with, or its first step if that may not be read. */
export function changeOf({ spans }: Trace): { name: string; about: string } {
  const first: Span | undefined = spans.find(({ kind }) => kind === 'write' || kind === 'call') ?? spans[0];
  const { document, stream, path, reference } = first?.attributes ?? {};
  return { name: first?.name ?? '', about: document ?? stream ?? path ?? reference ?? words.hidden };
}

/** Whether a step failed, and whether that was the end of it. */
export function Outcome({ trace }: { trace: Trace }) {
  const dead = trace.spans.some((span) => span.kind === 'dead_letter');
  const failed = dead || trace.spans.some((span) => span.error !== undefined);
  return (
    <Status
      tone={failed ? 'failed' : 'ok'}
      shape={failed ? 'triangle' : 'disc'}
      word={dead ? words.outcomes.dead : failed ? words.outcomes.failed : words.outcomes.ok}
    />
  );
}

const COLUMNS: Column<Trace>[] = [
  {
    key: 'change',
    label: words.columns.change,
    show: (trace) => {
      const { name, about } = changeOf(trace);
      return (
        <a class="mono break" href={to(['traces', trace.trace])}>
          {name} {about}
        </a>
      );
    },
  },
  { key: 'outcome', label: words.columns.outcome, show: (trace) => <Outcome trace={trace} /> },
  {
    key: 'hops',
    label: words.columns.hops,
    numeric: true,
    by: (trace) => hops(stepsOf(trace)),
    show: (trace) => hops(stepsOf(trace)),
  },
  {
    key: 'steps',
    label: words.columns.steps,
    numeric: true,
    by: ({ spans }) => spans.length,
    show: ({ spans }) => spans.length,
  },
  {
    key: 'took',
    label: words.columns.took,
    numeric: true,
    by: ({ duration_us: took }) => took,
    show: ({ duration_us: took }) => micros(took),
  },
  { key: 'when', label: words.columns.when, show: ({ started }) => <Time at={started} /> },
];
