import { to } from '../../shell/router';
import { text } from '../../text';
import { definitionOf, type Made, type Outcome, streamOf, type Wanted } from './create';

function Shown({ title, document: { bucket, id, body } }: { title: string; document: Made }) {
  return (
    <div class="stack tight">
      <h3>
        {title}:{' '}
        {bucket === '' ? <a href={to(['streams', id])}>{id}</a> : <a href={to(['documents', bucket], { id })}>{`${bucket} / ${id}`}</a>}
      </h3>
      <pre class="block">{JSON.stringify(body, null, 2)}</pre>
    </div>
  );
}

/** The first document and what the new function made of it. */
export function Created({ wanted, outcome }: { wanted: Wanted; outcome: Outcome }) {
  const { template, name, sample } = wanted;
  const { id, document } = template.sample;
  const { source_bucket: bucket } = definitionOf(wanted).depcfg;
  const input: Made = bucket === undefined ? { bucket: '', id: streamOf(wanted), body: document } : { bucket, id, body: document };
  const said = outcome === undefined ? text.create.slow : outcome.failed ? text.create.failed : bucket === undefined ? text.create.resultOfEvent : text.create.result;
  return (
    <section class="stack" role="status">
      <h2>{sample ? said : text.create.deployed}</h2>
      {sample ? (
        <div class="halves">
          <Shown title={bucket === undefined ? text.create.inputEvent : text.create.input} document={input} />
          {(outcome?.made ?? []).map((made) => (
            <Shown key={made.bucket + made.id} title={text.create.output} document={made} />
          ))}
        </div>
      ) : null}
      <div class="row">
        <a class="button primary" href={to(['functions', name])}>
          {text.create.open}
        </a>
        <a class="button" href={to(['functions', name, outcome?.failed ? 'letters' : 'log'])}>
          {outcome?.failed ? text.functions.tabs.letters : text.functions.tabs.log}
        </a>
      </div>
    </section>
  );
}
