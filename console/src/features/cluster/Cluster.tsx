import { type Ownership, OWNERSHIP, type Tasks, TASKS, type Topology, TOPOLOGY } from '../../api/cluster';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { ClusterActions } from './ClusterActions';
import { NodeTable } from './NodeTable';
import { VbucketMap } from './VbucketMap';

/** Who owns which vbucket, and how a change of the topology goes. */
export function Cluster() {
  const topology = useLive<Topology>(TOPOLOGY);
  const tasks = useLive<Tasks>(TASKS);
  const ownership = useLive<Ownership>(OWNERSHIP);
  if (topology.data === undefined) {
    return (
      <Page title={text.cluster.title}>
        {topology.error === undefined ? (
          <Loading label={text.loading} />
        ) : (
          <Problem error={topology.error} retry={topology.refresh} />
        )}
      </Page>
    );
  }
  const silent = ownership.error !== undefined;
  const refresh = () => {
    topology.refresh();
    tasks.refresh();
    ownership.refresh();
  };
  return (
    <Page title={text.cluster.title} actions={<ClusterActions topology={topology.data} changed={refresh} />}>
      <div class="stack">
        <div class="card pad stack tight" role="status">
          {[...sentences(topology.data), ...(silent ? [text.cluster.silent] : [])].map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <VbucketMap topology={topology.data} ownership={silent ? undefined : ownership.data} />
        <NodeTable topology={topology.data} tasks={tasks.data} changed={refresh} />
      </div>
    </Page>
  );
}

export function sentences({ mode, live, members, out, frozen, rebalancing, change }: Topology): string[] {
  const joining = live.filter((node) => !members.includes(node) && !out.includes(node)).length;
  const said = [text.cluster.says(members.filter((node) => live.includes(node)).length, members.length, joining, mode)];
  if (rebalancing && change) {
    said.push(text.cluster.changing(change.message.type, change.phase.toLowerCase(), change.message.id));
    if (change.cancel) {
      said.push(text.cluster.cancelling);
    }
  } else if (change?.error) {
    said.push(text.cluster.failed(change.error));
  } else if (frozen) {
    said.push(text.cluster.stopped);
  }
  if (out.length > 0) {
    said.push(text.cluster.out(out.join(', ')));
  }
  return said;
}
