import { useState } from 'preact/hooks';
import { BUCKETS, type Bucket } from '../../api/documents';
import { type AllStates, calls, nameOfState, STATES, type Template } from '../../api/functions';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { bucketsOf, categoryOf, create, definitionOf, firstResult, type Outcome, topicOf, type Wanted } from './create';
import { Created } from './Created';

const BUCKETS_MILLIS = 10_000;

type Phase = { kind: 'form'; error?: unknown } | { kind: 'working' } | { kind: 'done'; outcome: Outcome };

interface Field {
  id: string;
  label: string;
  value: string;
  hint: string;
  set: (value: string) => void;
}

/** What a template needs to become a function: a name and its buckets, all with a proposal. */
export function Wizard({ template }: { template: Template }) {
  const buckets = useLive<Bucket[]>(BUCKETS, BUCKETS_MILLIS);
  const states = useLive<AllStates>(STATES);
  const taken = (name: string) => states.data?.apps.some((app) => nameOfState(app) === name) === true;
  const [typed, name] = useState<string>();
  const [places, place] = useState<Record<string, string>>({});
  const ofMessages = topicOf(template) !== '';
  const [sample, withSample] = useState(!ofMessages); // no request publishes a message
  const [from, handle] = useState(ofMessages ? topicOf(template) : categoryOf(template));
  const [phase, turn] = useState<Phase>({ kind: 'form' });
  const shown = typed ?? free(String(template.definition['appname'] ?? template.name), taken);
  const wanted: Wanted = { template, name: shown, places, sample, from };
  const submit = (event: Event) => {
    event.preventDefault();
    if (phase.kind === 'working') {
      return;
    }
    turn({ kind: 'working' });
    const work = async () => {
      await create(wanted);
      return sample ? firstResult(wanted) : undefined;
    };
    work().then(
      (outcome) => turn({ kind: 'done', outcome }),
      (error: unknown) => turn({ kind: 'form', error }),
    );
  };
  if (phase.kind === 'done') {
    return <Created wanted={wanted} outcome={phase.outcome} />;
  }
  const note = (bucket: string) =>
    buckets.data?.some((one) => one.name === bucket) ? text.create.exists : text.create.made(bucket);
  const fields: Field[] = [
    { id: 'new-name', label: text.create.name, value: shown, hint: text.create.nameHint, set: name },
    ...(categoryOf(template) === ''
      ? []
      : [{ id: 'new-category', label: text.create.category, value: from, hint: text.create.categoryHint, set: handle }]),
    ...(ofMessages ? [{ id: 'new-topic', label: text.create.topic, value: from, hint: text.create.topicHint, set: handle }] : []),
    ...bucketsOf(template).map(({ bucket, alias }) => ({
      id: `new-bucket-${bucket}`,
      label: alias === '' ? text.create.source : text.create.bound(alias),
      value: places[bucket] ?? bucket,
      hint: note(places[bucket] ?? bucket),
      set: (value: string) => place({ ...places, [bucket]: value }),
    })),
  ];
  return (
    <form class="stack" onSubmit={submit}>
      <div class="card pad fields">
        {fields.map(({ id, label, value, hint, set }) => (
          <div key={id} class="field">
            <label for={id}>{label}</label>
            <input
              id={id}
              required
              class="mono"
              autocomplete="off"
              value={value}
              aria-describedby={`${id}-hint`}
              onInput={(event) => set(event.currentTarget.value)}
            />
            <span class="hint" id={`${id}-hint`}>
              {hint}
            </span>
          </div>
        ))}
      </div>
      {ofMessages ? null : (
        <label class="row">
          <input type="checkbox" checked={sample} onChange={(event) => withSample(event.currentTarget.checked)} />
          {categoryOf(template) === '' ? text.create.sample : text.create.sampleEvent}
        </label>
      )}
      {phase.kind === 'form' && phase.error !== undefined ? <Problem error={phase.error} /> : null}
      <div class="row">
        <button type="submit" class="button primary" aria-disabled={phase.kind === 'working'}>
          {text.create.submit}
        </button>
        <CopyAs call={calls.save(definitionOf(wanted))} />
        <span class="soft" role="status">
          {phase.kind === 'working' ? text.create.progress : ''}
        </span>
      </div>
      <pre class="block" tabIndex={0}>
        {template.code}
      </pre>
    </form>
  );
}

/** The name of the template, with a number if it is taken. */
function free(name: string, taken: (name: string) => boolean): string {
  let candidate = name;
  for (let i = 2; taken(candidate); i++) {
    candidate = `${name}_${i}`;
  }
  return candidate;
}
