import type { KeyspaceBinding } from '../../api/functions';
import { to } from '../../shell/router';
import { text } from '../../text';
import { count, duration } from '../../ui/format';
import { Time } from '../../ui/Time';
import { Charts } from './Charts';
import type { Shown } from './FunctionPage';
import { otherSource } from './source';

const SHOWN = [
  'on_update_success',
  'on_update_failure',
  'on_delete_success',
  'on_delete_failure',
  'timer_callback_success',
  'timer_callback_failure',
  'timer_create_counter',
];

function Keyspace({ bucket, scope, collection }: { bucket: string; scope?: string | undefined; collection?: string | undefined }) {
  const usual = (name: string | undefined) => name === undefined || name === '' || name === '_default';
  const shown = usual(scope) && usual(collection) ? [bucket] : [bucket, scope ?? '_default', collection ?? '_default'];
  return (
    <a class="mono break" href={to(['documents', ...shown])}>
      {shown.join('.')}
    </a>
  );
}

function Binding({ binding }: { binding: KeyspaceBinding }) {
  return (
    <li class="row">
      <span class="mono">{binding.alias}</span>
      <Keyspace bucket={binding.bucket_name} scope={binding.scope_name} collection={binding.collection_name} />
      <span class="chip">{binding.access}</span>
    </li>
  );
}

/** What a function is bound to and how it is doing. */
export function Overview({ name, definition, state, stats }: Shown) {
  const { depcfg } = definition;
  const bindings = depcfg.buckets ?? [];
  return (
    <div class="split">
      <div class="stack">
        {stats === undefined ? null : (
          <Charts name={name} state={state} />
        )}
        <section class="card pad stack tight">
          <h2>{text.functions.counters}</h2>
          {stats === undefined || state.app.composite_status === 'undeployed' ? (
            <p class="soft">{text.functions.noStats}</p>
          ) : (
            <dl class="facts columns">
              {SHOWN.map((counter) => [
                <dt key={counter} class="mono">
                  {counter}
                </dt>,
                <dd key={`${counter}=`} class="mono">
                  {count(Number(stats.execution_stats[counter] ?? 0))}
                </dd>,
              ])}
              <dt class="mono">lag_seconds</dt>
              <dd class="mono">{duration(stats.lag_seconds ?? 0)}</dd>
            </dl>
          )}
        </section>
      </div>
      <section class="card pad stack">
        <dl class="facts">
          <dt>{text.functions.source}</dt>
          <dd>
            {depcfg.source_bucket === undefined ? (
              <span class="mono">{otherSource(depcfg)}</span>
            ) : (
              <Keyspace bucket={depcfg.source_bucket} scope={depcfg.source_scope} collection={depcfg.source_collection} />
            )}
          </dd>
          <dt>{text.functions.metadata}</dt>
          <dd>
            <Keyspace bucket={depcfg.metadata_bucket} scope={depcfg.metadata_scope} collection={depcfg.metadata_collection} />
          </dd>
          <dt>{text.functions.since}</dt>
          <dd>
            <Time at={state.app.since} />
          </dd>
        </dl>
        <div class="stack tight">
          <h3>{text.functions.bindings}</h3>
          {bindings.length === 0 ? <p class="soft">{text.functions.noBindings}</p> : null}
          <ul class="stack tight">
            {bindings.map((binding) => (
              <Binding key={binding.alias} binding={binding} />
            ))}
          </ul>
        </div>
      </section>
    </div>
  );
}
