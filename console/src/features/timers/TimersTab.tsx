import { useMemo } from 'preact/hooks';
import {
  type TimerDensity,
  timerDensityPath,
  type TimerStatus,
  timerStatusPath,
} from '../../api/functions';
import { useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { compact } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import type { Shown } from '../functions/FunctionPage';
import { Density } from './Density';
import { TimerList } from './TimerList';

const HOUR_MILLIS = 3_600_000;

/** The times for which timers can be shown, as they stand in the address. */
const RANGES: Record<TimeRange, number> = { '1h': HOUR_MILLIS, '6h': 6 * HOUR_MILLIS, '24h': 24 * HOUR_MILLIS, '7d': 168 * HOUR_MILLIS };
const PERIODS = 96;

/** What costs the store more than the first page of a list. */
const SELDOM_MILLIS = 15_000;

type TimeRange = keyof typeof text.timers.ranges;

const isRange = (word: string): word is TimeRange => Object.hasOwn(RANGES, word);

/** The timers of a function: when they are due, and what can be done about each. */
export function TimersTab({ name, state }: Shown) {
  const [due, choose] = useParameter('due');
  const range = isRange(due) ? due : undefined;
  const from = useMemo(() => Date.now(), [range]);
  const strip = range ?? '24h';
  const status = useLive<TimerStatus>(timerStatusPath(name));
  const density = useLive<TimerDensity>(timerDensityPath(name, from, from + RANGES[strip], PERIODS), SELDOM_MILLIS);
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
          <h2>{text.timers.dueIn(text.timers.ranges[strip])}</h2>
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
        {density.data === undefined ? null : <Density density={density.data} />}
      </section>
      <TimerList name={name} until={range === undefined ? undefined : from + RANGES[range]} changed={status.refresh}>
        <select aria-label={text.timers.due} value={range ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{text.timers.anyTime}</option>
          {Object.entries(text.timers.ranges).map(([value, label]) => (
            <option key={value} value={value}>
              {text.timers.within(label)}
            </option>
          ))}
        </select>
      </TimerList>
    </div>
  );
}
