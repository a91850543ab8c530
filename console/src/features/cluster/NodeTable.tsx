import { useState } from 'preact/hooks';
import { calls, numbers, type Tasks, type Topology } from '../../api/cluster';
import { send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Confirm } from '../../ui/Dialog';
import { count } from '../../ui/format';
import { Status } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { colourOf } from './colours';

const words = text.cluster;

/** The columns that have something to show while the topology changes. */
const OF_CHANGES = new Set<string>(['before', 'progress'] satisfies (keyof typeof words.columns)[]);

function NodeState({ node, topology: { live, unreachable = [], members, out } }: { node: string; topology: Topology }) {
  if (!live.includes(node)) {
    return <Status tone="failed" shape="triangle" word={words.dead} />;
  }
  if (unreachable.includes(node)) {
    return <Status tone="failed" shape="triangle" word={words.unreachable} />;
  }
  return members.includes(node) ? (
    <Status tone="ok" shape="disc" word={words.alive} />
  ) : (
    <Status tone="idle" shape="ring" word={out.includes(node) ? words.removed : words.joining} />
  );
}

function shares(vbuckets: string | undefined): string {
  const owned = numbers(vbuckets).length;
  return owned === 0 ? '0' : `${count(owned)}: ${vbuckets}`;
}

interface Asked {
  node: string;
  failover: boolean;
}

/** The nodes with their shares, and what can be done to each. */
export function NodeTable({ topology, tasks, changed }: { topology: Topology; tasks: Tasks | undefined; changed: () => void }) {
  const [asked, ask] = useState<Asked>();
  const progress = tasks?.tasks.find((task) => task.detailedProgress !== undefined)?.detailedProgress ?? {};
  const { live, members, planned, before, rebalancing } = topology;
  const nodes = [...new Set([...live, ...members, ...Object.keys(planned), ...Object.keys(before)])].sort();
  const callOf = ({ node, failover }: Asked) => (failover ? calls.failover(node) : calls.rebalance([node]));
  const act = (wanted: Asked) =>
    void send(callOf(wanted)).then(
      () => {
        toast(words.started);
        changed();
      },
      (error: Error) => toast(error.message, true),
    );
  return (
    <section class="stack tight">
      <h2>{words.nodes}</h2>
      <Table columns={[...Object.entries(words.columns).flatMap(([key, label]) => (rebalancing || !OF_CHANGES.has(key) ? [label] : [])), '']}>
        {nodes.map((node) => (
          <tr key={node}>
            <th scope="row" class="break">
              <span class="row">
                <i class={`swatch ${colourOf(node, nodes)}`} />
                {node}
              </span>
            </th>
            <td data-label={words.columns.state}>
              <NodeState node={node} topology={topology} />
            </td>
            <td class="mono break" data-label={words.columns.planned}>
              {shares(planned[node])}
            </td>
            {rebalancing ? (
              <>
                <td class="mono break" data-label={words.columns.before}>
                  {shares(before[node])}
                </td>
                <td data-label={words.columns.progress}>
                  {node in progress ? `${Math.floor((progress[node] ?? 0) * 100)} %` : ''}
                </td>
              </>
            ) : null}
            <td class="tight">
              {rebalancing || !members.includes(node) || members.length < 2 ? null : (
                <button
                  type="button"
                  class="button danger"
                  onClick={() => ask({ node, failover: !live.includes(node) })}
                >
                  {live.includes(node) ? words.eject : words.failover}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {asked === undefined ? null : (
        <Confirm
          title={asked.failover ? words.failover : words.eject}
          body={asked.failover ? words.failoverBody(asked.node) : words.ejectBody(asked.node)}
          name={asked.node}
          verb={asked.failover ? words.failover : words.eject}
          call={callOf(asked)}
          close={() => ask(undefined)}
          act={() => act(asked)}
        />
      )}
    </section>
  );
}
