import { useState } from 'preact/hooks';
import {
  type TimerDensity,
  timerDensityPath,
  type TimerStatus,
  timerStatusPath,
} from '../../api/functions';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { compact } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import type { Shown } from '../functions/FunctionPage';
import { Density } from './Density';
import { TimerList } from './TimerList';

const DAY_MILLIS = 86_400_000;
const QUARTERS_OF_AN_HOUR = 96;

/** What costs the store more than the first page of a list. */
const SELDOM_MILLIS = 15_000;

/** The timers of a function: when they are due, and what can be done about each. */
export function TimersTab({ name, state }: Shown) {
  const [from] = useState(() => Date.now());
  const status = useLive<TimerStatus>(timerStatusPath(name));
  const day = useLive<TimerDensity>(timerDensityPath(name, from, from + DAY_MILLIS, QUARTERS_OF_AN_HOUR), SELDOM_MILLIS);
  if (state.app.composite_status === 'undeployed' && (status.data?.pending ?? 0) === 0) {
    return <p class="card pad">{text.timers.deploy}</p>;
  }
  if (status.data === undefined) {
    return status.error === undefined ? <Loading label={text.loading} /> : <Problem error={status.error} />;
  }
  const { pending, firing, dead, next_due: next, stopped_partitions: stopped } = status.data;
  return (
    <div class="stack">
      {stopped.length > 0 ? <p class="problem note">{text.timers.overdue(compact(stopped.length))}</p> : null}
      <section class="card pad stack tight">
        <div class="row between">
          <h2>{text.timers.next24}</h2>
          <span class="soft">
            {text.timers.pending} {compact(pending)}, {text.timers.firing.toLowerCase()} {compact(firing)},{' '}
            {text.timers.dead.toLowerCase()} {compact(dead)}
            {next === undefined ? null : (
              <>
                , {text.timers.nextDue.toLowerCase()} <Time at={next} />
              </>
            )}
          </span>
        </div>
        {day.data === undefined ? null : <Density density={day.data} />}
      </section>
      <TimerList name={name} changed={status.refresh} />
    </div>
  );
}
