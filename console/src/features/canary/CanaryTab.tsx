import { type Canary, canaryPath } from '../../api/functions';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { Status } from '../../ui/Status';
import { Time } from '../../ui/Time';
import type { Shown } from '../functions/FunctionPage';
import { CanaryForm } from './CanaryForm';
import { Sides } from './Sides';
import { Trial } from './Trial';

const words = text.canary;

/** The answer for a function that never had a canary. */
const NONE = 400;

/** A version on trial for a share of the changes: start it, compare it, promote it or roll it back. */
export function CanaryTab(shown: Shown) {
  const { name, state, reload } = shown;
  const live = useLive<Canary>(canaryPath(name));
  const none = live.error?.status === NONE;
  if (!none && live.data === undefined) {
    return live.error === undefined ? <Loading label={text.loading} /> : <Problem error={live.error} retry={live.refresh} />;
  }
  const changed = () => {
    live.refresh();
    reload();
  };
  const canary = none ? undefined : live.data;
  if (canary?.state === 'running') {
    return <Trial name={name} canary={canary} changed={changed} />;
  }
  return (
    <div class="stack">
      {canary === undefined ? <p class="soft">{words.says}</p> : <Ended canary={canary} />}
      {state.app.composite_status === 'deployed' ? (
        <CanaryForm {...shown} changed={changed} />
      ) : (
        <p class="card pad soft">{words.deployFirst}</p>
      )}
    </div>
  );
}

/** How the last canary ended, and why. */
function Ended({ canary }: { canary: Canary }) {
  const promoted = canary.state === 'promoted';
  return (
    <section class="card pad stack tight" role="status">
      <div class="row between">
        <Status tone={promoted ? 'ok' : 'failed'} shape={promoted ? 'disc' : 'triangle'} word={words.states[canary.state]} />
        <span class="soft">
          <Time at={canary.ended} />
        </span>
      </div>
      <p>{words.ended(canary.version, canary.stable_version)}</p>
      {canary.reason === undefined ? null : <p class="break">{canary.reason}.</p>}
      <Sides canary={canary} />
    </section>
  );
}
