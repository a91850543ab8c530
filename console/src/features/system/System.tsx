import { type Health, HEALTH, type HealthPart, type NodeInfo, NODES } from '../../api/cluster';
import { ROOT } from '../../api/http';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Answers } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { StoreFacts } from './StoreFacts';

const words = text.system;
const NODES_MILLIS = 5000;

const LINKS: [string, string][] = [
  [words.healthJson, HEALTH],
  [words.metrics, 'actuator/prometheus'],
  [words.breakers, 'actuator/circuitbreakers'],
];

function Part({ name, part }: { name: string; part: HealthPart }) {
  const details = Object.entries(part.details ?? {}).filter(([key]) => key !== 'url');
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={words.columns.state}>
        <Answers well={part.status === 'UP'} />
      </td>
      <td class="mono break" data-label={words.columns.address}>
        {String(part.details?.['url'] ?? '')}
      </td>
      <td class="break" data-label={words.columns.details}>
        {details.map(([key, value]) => `${key}: ${String(value)}`).join(', ')}
      </td>
    </tr>
  );
}

/** The services behind the gateway, and what runs here. */
export function System() {
  const health = useLive<Health>(HEALTH);
  const nodes = useLive<NodeInfo[]>(NODES, NODES_MILLIS);
  const services = Object.entries(health.data?.components?.['services']?.components ?? {});
  return (
    <Page title={words.title}>
      <div class="stack">
        {health.error === undefined ? null : <Problem error={health.error} retry={health.refresh} />}
        {health.data === undefined && health.error === undefined ? <Loading label={text.loading} /> : null}
        <section class="stack tight">
          <h2>{words.services}</h2>
          <Table columns={Object.values(words.columns)}>
            {services.map(([name, part]) => (
              <Part key={name} name={name} part={part} />
            ))}
          </Table>
        </section>
        <div class="halves">
          <StoreFacts health={health.data} />
          <div class="stack">
            <section class="card pad stack tight">
              <h2>{words.nodes}</h2>
              <dl class="facts">
                {(nodes.data ?? []).map(({ id, version, address }) => [
                  <dt key={id}>{id}</dt>,
                  <dd key={`${id}=`} class="mono">
                    {`${version}, ${address}`}
                  </dd>,
                ])}
              </dl>
            </section>
            <section class="card pad stack tight">
              <h2>{words.links}</h2>
              <ul class="stack tight">
                {LINKS.map(([label, path]) => (
                  <li key={path}>
                    <a href={new URL(path, ROOT).href}>{label}</a>
                  </li>
                ))}
              </ul>
            </section>
          </div>
        </div>
      </div>
    </Page>
  );
}
