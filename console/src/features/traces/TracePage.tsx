import { useMemo } from 'preact/hooks';
import { command, hops, scaleOf, stepsOf, type Trace, type Traces, tracesPath } from '../../api/traces';
import { useLive } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Loading } from '../../ui/Empty';
import { counted, micros } from '../../ui/format';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import { changeOf, Outcome } from './Found';
import { StepLine } from './StepLine';

const words = text.traces;

/** One trace, which grows while its functions and timers run. */
export function TracePage({ id }: { id: string }) {
  const path = tracesPath('trace', id);
  const found = useLive<Traces>(path);
  const trace = found.data?.traces[0];
  const { name, about } = trace === undefined ? { name: words.ways.trace, about: id } : changeOf(trace);
  return (
    <Page
      title={`${name} ${about}`}
      over={<a href={to(['traces'])}>{words.title}</a>}
      actions={<CopyAs call={{ method: 'GET', path }} cli={command('trace', id)} />}
    >
      {trace !== undefined ? (
        <TimeLine trace={trace} />
      ) : found.error !== undefined ? (
        <Problem error={found.error} retry={found.refresh} />
      ) : found.data === undefined ? (
        <Loading label={text.loading} />
      ) : (
        <p class="card pad" role="status">
          {words.waiting}
        </p>
      )}
    </Page>
  );
}

/** The steps of a trace, each below the one that led to it, at its place in time. */
function TimeLine({ trace }: { trace: Trace }) {
  const [steps, scale] = useMemo(() => [stepsOf(trace), scaleOf(trace.spans)], [trace]);
  return (
    <div class="stack tight">
      <div class="row">
        <Outcome trace={trace} />
        <span>
          {words.summary(counted(hops(steps), 'function'), counted(trace.spans.length, 'step'), micros(trace.duration_us))}
        </span>
        <span class="soft">
          <Time at={trace.started} />
        </span>
        <span class="soft mono break">{trace.trace}</span>
      </div>
      <section class="card time-line" aria-label={words.line}>
        <ol>
          {steps.map((step) => (
            <StepLine key={step.span.span} step={step} scale={scale} depth={0} />
          ))}
        </ol>
      </section>
      {scale.leftOut < 1 ? null : <p class="soft">{words.pauses(micros(scale.leftOut))}</p>}
    </div>
  );
}
