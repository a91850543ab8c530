import { type Health, HEALTH, type Topology, TOPOLOGY } from '../../api/cluster';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { ago } from '../../ui/format';
import { type Cause, noAnswer, serviceCauses, storeCauses, topologyCauses } from './causes';

/** Says on every page what keeps the whole from working, with where to look; it goes when the cause is gone. */
export function TroubleBanner() {
  const health = useLive<Health>(HEALTH);
  const topology = useLive<Topology>(TOPOLOGY);
  const trouble = noAnswer(health.error);
  if (trouble !== undefined) {
    return (
      <div class="banner failed" role="alert">
        {trouble} {health.at > 0 ? text.errors.stale(ago(health.at)) : null}
      </div>
    );
  }
  const causes: Cause[] = [
    ...serviceCauses(health.data),
    ...storeCauses(health.data),
    ...topologyCauses(topology.data).filter(({ tone }) => tone === 'failed'),
  ];
  return (
    <>
      {causes.map(({ says, action, address }) => (
        <div key={says} class="banner failed" role="alert">
          <span class="break">
            {says} {action === undefined ? null : <span class="soft">{action}</span>}
          </span>
          <a href={address}>{text.store.see}</a>
        </div>
      ))}
    </>
  );
}
