import { calls, type Topology } from '../../api/cluster';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { CopyAs } from '../../ui/Command';

/** Starts a change, or stops the one in progress. */
export function ClusterActions({ topology, changed }: { topology: Topology; changed: () => void }) {
  const { rebalancing, change } = topology;
  const running = rebalancing && change ? change.message.id : undefined;
  return (
    <>
      {running === undefined ? (
        <Act call={calls.rebalance([])} done={text.cluster.started} after={changed}>
          {text.cluster.rebalance}
        </Act>
      ) : (
        <Act class="button danger" call={calls.stop(running)} done={text.cluster.stopping} after={changed}>
          {text.cluster.stop}
        </Act>
      )}
      <CopyAs call={running === undefined ? calls.rebalance([]) : calls.stop(running)} />
    </>
  );
}
