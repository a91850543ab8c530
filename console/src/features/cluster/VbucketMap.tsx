import { numbers, type Ownership, type Topology } from '../../api/cluster';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { count } from '../../ui/format';
import { colourOf } from './colours';

const VBUCKETS = 1024;
const COLUMNS = 64;
const SIZE = 10;

/** A name that no function has: the map of the plan. */
const PLAN = '';

/** All vbuckets as a map: the plan, or the owners of one function. */
export function VbucketMap({ topology, ownership }: { topology: Topology; ownership: Ownership | undefined }) {
  const [shown, show] = useParameter('map');
  const functions = Object.keys(ownership?.functions ?? {});
  const shares = ownership?.functions[shown]?.owned ?? topology.planned;
  const nodes = [...new Set([...topology.live, ...topology.members, ...Object.keys(topology.planned)])].sort();
  const owners = new Array<string | undefined>(VBUCKETS).fill(undefined);
  for (const [node, vbuckets] of Object.entries(shares)) {
    for (const vbucket of numbers(vbuckets)) {
      owners[vbucket] = nodes.includes(node) ? node : undefined;
    }
  }
  for (const vbucket of numbers(ownership?.functions[shown]?.ownerless)) {
    owners[vbucket] = undefined;
  }
  const owned = (node: string | undefined) => owners.filter((owner) => owner === node).length;
  const counts = [...nodes, undefined].filter((node) => owned(node) > 0);
  const said = counts.map((node) => `${node ?? text.cluster.legendNone} ${count(owned(node))}`).join(', ');
  return (
    <section class="card pad stack">
      <div class="row between">
        <h2>{text.cluster.map}</h2>
        <label class="row">
          <span class="soft">{text.cluster.mapOf}</span>
          <select value={shown} onChange={(event) => show(event.currentTarget.value)}>
            <option value={PLAN}>{text.cluster.plan}</option>
            {functions.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <svg
        class="vbuckets"
        viewBox={`0 0 ${COLUMNS * SIZE} ${(VBUCKETS / COLUMNS) * SIZE}`}
        role="img"
        aria-label={text.cluster.summary(said)}
      >
        {owners.map((owner, vbucket) => (
          <rect
            key={vbucket}
            class={colourOf(owner, nodes)}
            x={(vbucket % COLUMNS) * SIZE + 0.5}
            y={Math.floor(vbucket / COLUMNS) * SIZE + 0.5}
            width={SIZE - 1}
            height={SIZE - 1}
            rx="1.5"
          >
            <title>{text.cluster.cell(vbucket, owner ?? text.cluster.legendNone)}</title>
          </rect>
        ))}
      </svg>
      <ul class="row">
        {counts.map((node) => (
          <li key={node ?? ''} class="row">
            <i class={`swatch ${colourOf(node, nodes)}`} />
            {node ?? text.cluster.legendNone} <span class="soft mono">{count(owned(node))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
