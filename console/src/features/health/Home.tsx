import { type Health, HEALTH, type Topology, TOPOLOGY } from '../../api/cluster';
import { type Bucket, BUCKETS } from '../../api/documents';
import { type AllStates, STATES, STATISTICS, type Stats } from '../../api/functions';
import { SLOW_MILLIS, useLive } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { ago, counted } from '../../ui/format';
import { Page } from '../../ui/Page';
import { Answers, Mark, type Shape, type Tone } from '../../ui/Status';
import { FunctionTable } from '../functions/FunctionTable';
import { observe } from '../functions/rates';
import { type Cause, functionCauses, noAnswer, serviceCauses, storeCauses, topologyCauses } from './causes';


/** The others need attention. */
const MARKS: Partial<Record<Tone, Shape>> = { ok: 'disc', idle: 'ring' };

/** The home page: one sentence, and what it rests on. */
export function Home() {
  const health = useLive<Health>(HEALTH);
  const states = useLive<AllStates>(STATES);
  const stats = useLive<Stats[]>(STATISTICS);
  const topology = useLive<Topology>(TOPOLOGY);
  const buckets = useLive<Bucket[]>(BUCKETS, SLOW_MILLIS);
  if (stats.data !== undefined && stats.error === undefined) {
    observe(stats.data, stats.at);
  }
  const trouble = noAnswer(health.error);
  const causes = [
    ...serviceCauses(health.data),
    ...storeCauses(health.data),
    ...topologyCauses(topology.data),
    ...functionCauses(states.data, stats.data),
  ];
  const apps = states.data?.apps ?? [];
  const running = apps.filter(({ composite_status }) => composite_status === 'deployed').length;
  const summary = apps.length === 0 ? text.health.noFunctions : running === 0 ? text.health.idle : text.health.running(running);
  const verdict = trouble !== undefined
    ? trouble
    : health.data === undefined
      ? text.health.unknown
      : causes.some(({ tone }) => tone !== 'busy')
        ? text.health.trouble(causes.length)
        : text.health.allWell(summary);
  const calm = health.data === undefined ? 'idle' : 'ok';
  const tone: Tone = trouble !== undefined ? 'failed' : (causes.find((one) => one.tone !== 'busy')?.tone ?? calm);
  return (
    <Page title={text.health.title}>
      <div class="stack">
        <section class={`verdict card ${tone}`} aria-live="polite">
          <p>
            <span class={`tone-${tone}`}>
              <Mark shape={MARKS[tone] ?? 'triangle'} />
            </span>
            {verdict}
          </p>
          {trouble !== undefined && health.at > 0 ? <p class="soft">{text.errors.stale(ago(health.at))}</p> : null}
          <Causes causes={causes} />
        </section>
        <Tiles health={health.data} topology={topology.data} buckets={buckets.data} />
        {states.data === undefined ? <Loading label={text.loading} /> : null}
        {states.data !== undefined && apps.length === 0 ? <Welcome /> : null}
        {apps.length > 0 ? <FunctionTable states={apps} stats={stats.data ?? []} /> : null}
      </div>
    </Page>
  );
}

function Causes({ causes }: { causes: Cause[] }) {
  return causes.length === 0 ? null : (
    <ul class="causes">
      {causes.map(({ says, action, address, tone }) => (
        <li key={says}>
          <span class={`tone-${tone}`}>
            <Mark shape={tone === 'busy' ? 'spinner' : 'triangle'} />
          </span>
          <div>
            <a href={address}>{says}</a>
            {action === undefined ? null : <p class="soft">{action}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Welcome() {
  return (
    <section class="card empty">
      <p>{text.health.welcome}</p>
      <a class="button primary" href={to(['functions', '-', 'new'])}>
        {text.health.start}
      </a>
    </section>
  );
}

function Answering({ name, address, well }: { name: string; address: string; well: boolean }) {
  return (
    <li class="row between">
      <a class="break" href={address}>
        {name}
      </a>
      <Answers well={well} />
    </li>
  );
}

function Tiles(props: { health: Health | undefined; topology: Topology | undefined; buckets: Bucket[] | undefined }) {
  const services = Object.entries(props.health?.components?.['services']?.components ?? {});
  const { live = [], unreachable = [], members = [] } = props.topology ?? {};
  const documents = (props.buckets ?? []).reduce((sum, bucket) => sum + bucket.documents, 0);
  return (
    <div class="tiles">
      <section class="card pad">
        <h2>{text.health.services}</h2>
        <ul class="stack tight">
          {services.map(([name, { status }]) => (
            <Answering key={name} name={name} address={to(['system'])} well={status === 'UP'} />
          ))}
        </ul>
      </section>
      <section class="card pad">
        <h2>{text.health.nodes}</h2>
        <ul class="stack tight">
          {members.map((node) => (
            <Answering key={node} name={node} address={to(['cluster'])} well={live.includes(node) && !unreachable.includes(node)} />
          ))}
        </ul>
      </section>
      <section class="card pad">
        <h2>{text.health.data}</h2>
        <p>
          {props.buckets === undefined ? (
            <span class="soft">{text.loading}</span>
          ) : (
            <a href={to(['documents'])}>
              {text.health.stored(counted(documents, 'document'), counted(props.buckets.length, 'bucket'))}
            </a>
          )}
        </p>
      </section>
    </div>
  );
}
