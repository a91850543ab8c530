import { endOf, type Scale, type Span, startOf, type Step } from '../../api/traces';
import { to } from '../../shell/router';
import { text } from '../../text';
import { micros, moment } from '../../ui/format';
import { Mark, type Tone } from '../../ui/Status';

const words = text.traces;

/** Steps further in are not set in further: a chain of functions may be long, a screen is not wide. */
const DEEPEST = 12;
const PERCENT = 100;
/** What is over at once is still seen. */
const NARROWEST = 0.5;

const TONES: Record<Span['kind'], Tone> = {
  write: 'ok',
  call: 'ok',
  queue: 'idle',
  handler: 'busy',
  effect: 'ok',
  request: 'warn',
  dead_letter: 'failed',
};

interface Props {
  step: Step;
  scale: Scale;
  depth: number;
}

/** A step with its bar; opened, it says all about itself. What it led to is below it. */
export function StepLine({ step: { span, steps }, scale, depth }: Props) {
  const failed = span.error !== undefined || span.kind === 'dead_letter';
  return (
    <li>
      <details>
        <summary class="step">
          <span class="step-name" style={{ paddingLeft: `${Math.min(depth, DEEPEST)}em` }}>
            <span class={failed ? 'step-title mono tone-failed' : 'step-title mono'}>
              {failed ? <Mark shape="triangle" /> : null}
              {span.name}
            </span>
            <span class="soft break">{about(span)}</span>
          </span>
          <Bar span={span} scale={scale} tone={failed ? 'failed' : TONES[span.kind]} />
          <span class="num nowrap">
            <span class="visually-hidden">{failed ? `${words.failed}, ` : ''}</span>
            {micros(span.duration_us)}
          </span>
        </summary>
        <Facts span={span} />
      </details>
      {steps.length === 0 ? null : (
        <ol>
          {steps.map((next) => (
            <StepLine key={next.span.span} step={next} scale={scale} depth={depth + 1} />
          ))}
        </ol>
      )}
    </li>
  );
}

/** What tells a step from others of its name. */
function about({ kind, attributes: { function: name, document, keyspace, reference, url } }: Span): string {
  const target = document ?? reference ?? url ?? keyspace ?? '';
  return kind === 'handler' || kind === 'queue' ? (name ?? target) : target;
}

function Bar({ span, scale, tone }: { span: Span; scale: Scale; tone: Tone }) {
  const from = scale.at(startOf(span)) * PERCENT;
  const width = Math.max(NARROWEST, scale.at(endOf(span)) * PERCENT - from);
  const left = Math.min(from, PERCENT - width);
  return (
    <span class="step-track" aria-hidden="true">
      <span class={`step-bar tone-${tone}${span.kind === 'queue' ? ' waits' : ''}`} style={{ left: `${left}%`, width: `${width}%` }} />
    </span>
  );
}

function Facts({ span }: { span: Span }) {
  const { attributes, error, started, duration_us: took } = span;
  return (
    <div class="pad stack tight step-facts">
      {error === undefined ? null : <pre class="block tone-failed">{error}</pre>}
      <dl class="facts">
        <dt>{words.began}</dt>
        <dd title={moment(Date.parse(started))}>{started}</dd>
        <dt>{words.took}</dt>
        <dd>{micros(took)}</dd>
        {Object.entries(attributes).map(([name, value]) => (
          <Fact key={name} name={name} value={value} attributes={attributes} />
        ))}
        <dt>{words.span}</dt>
        <dd class="mono">{span.span}</dd>
      </dl>
    </div>
  );
}

function Fact({ name, value, attributes }: { name: string; value: string; attributes: Record<string, string> }) {
  const address = addressOf(name, value, attributes);
  return (
    <>
      <dt>{words.attributes[name] ?? name}</dt>
      <dd class="mono break">{address === undefined ? value : <a href={address}>{value}</a>}</dd>
    </>
  );
}

/** Where more about an attribute is. */
function addressOf(name: string, value: string, { keyspace, function: fn }: Record<string, string>): string | undefined {
  if (name === 'function') {
    return to(['functions', value]);
  }
  if (name === 'version' && fn !== undefined) {
    return to(['functions', fn, 'versions'], { version: value });
  }
  if (name === 'document' && keyspace !== undefined) {
    const [bucket, scope, collection] = partsOf(keyspace);
    const usual = scope === '_default' && collection === '_default';
    return to(['documents', bucket, ...(usual ? [] : [scope, collection])], { id: value });
  }
  return undefined;
}

/** Names of buckets may have dots. */
function partsOf(keyspace: string): [bucket: string, scope: string, collection: string] {
  const parts = keyspace.split('.');
  return [parts.slice(0, -2).join('.'), parts.at(-2) ?? '', parts.at(-1) ?? ''];
}
