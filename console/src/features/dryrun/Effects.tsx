import type { ComponentChildren } from 'preact';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Diff } from '../../ui/Diff';
import { moment } from '../../ui/format';
import { PlanLines } from '../queries/PlanTree';
import type { Effect } from './dryRun';

const words = text.dryRun;
const json = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

function Place({ bucket = '', scope = '_default', collection = '_default', id = '' }: Effect) {
  const usual = scope === '_default' && collection === '_default';
  const parts = usual ? [bucket] : [bucket, scope, collection];
  return (
    <a class="mono break" href={to(['documents', ...parts], { id })}>{`${parts.join('.')} / ${id}`}</a>
  );
}

const KINDS: Record<Effect['kind'], (effect: Effect) => ComponentChildren> = {
  write: (effect) => (
    <>
      <Place {...effect} />
      {effect.expiry === undefined ? null : <span class="soft">{words.expires(moment(Date.parse(effect.expiry)))}</span>}
      <Diff before={json(effect.before)} after={json(effect.after)} />
    </>
  ),
  delete: (effect) => (
    <>
      <Place {...effect} />
      <Diff before={json(effect.before)} after="" />
    </>
  ),
  timer: ({ callback, reference, due, context }) => (
    <>
      <span class="mono break">{`${callback}(${reference})`}</span>
      <span class="soft">{due === undefined ? '' : words.due(moment(Date.parse(due)))}</span>
      {context === undefined ? null : <pre class="block">{json(context)}</pre>}
    </>
  ),
  cancel_timer: ({ callback, reference, existed }) => (
    <>
      <span class="mono break">{`${callback}(${reference})`}</span>
      {existed === true ? null : <span class="soft">{words.noTimer}</span>}
    </>
  ),
  request: ({ method, url, path, body, status, assumed }) => (
    <>
      <span class="mono break">{`${method} ${url ?? ''}${path ?? ''}`}</span>
      {status === undefined ? null : <span class="soft">{words.answer(status, assumed === true)}</span>}
      {body === undefined ? null : <pre class="block">{json(body)}</pre>}
    </>
  ),
  statement: ({ text: statement, plan }) => (
    <>
      <pre class="block">{statement}</pre>
      {plan?.['#operator'] === undefined ? null : <PlanLines plan={plan} />}
    </>
  ),
  sql: ({ binding, text: statement, named, positional }) => (
    <>
      <span class="mono break">{binding}</span>
      <pre class="block">{statement}</pre>
      {(named ?? positional) === undefined ? null : <pre class="block">{json(named ?? positional)}</pre>}
    </>
  ),
  message: ({ topic, key, content }) => (
    <>
      <span class="mono break">{key === undefined ? topic : `${topic ?? ''} ${key}`}</span>
      <pre class="block">{json(content)}</pre>
    </>
  ),
  log: ({ level, text: line }) => <span class="mono break">{`${level} ${line}`}</span>,
};

/** What an invocation would have done, in order. */
export function Effects({ effects, more }: { effects: Effect[]; more: number }) {
  return (
    <>
      {effects.length === 0 ? <p class="soft">{words.nothing}</p> : null}
      <ol class="stack tight">
        {effects.map((effect, i) => (
          <li key={i} class="effect stack tight">
            <span class="chip">{words.kinds[effect.kind] ?? effect.kind}</span>
            {KINDS[effect.kind]?.(effect) ?? <pre class="block">{json(effect)}</pre>}
          </li>
        ))}
      </ol>
      {more > 0 ? <p class="soft">{words.more(more)}</p> : null}
    </>
  );
}
