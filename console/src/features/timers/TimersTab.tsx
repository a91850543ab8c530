import { useState } from 'preact/hooks';
import {
  type TimerDensity,
  timerDensityPath,
  type Timers,
  timersPath,
  type TimerStatus,
  timerStatusPath,
} from '../../api/functions';
import { EVERY_MILLIS, useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { SearchField } from '../../ui/SearchField';
import { compact } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Time';
import type { Shown } from '../functions/FunctionPage';
import { Density } from './Density';
import { TimerRow } from './TimerRow';

const PAGE = 100;
const DAY_MILLIS = 86_400_000;
const QUARTERS_OF_AN_HOUR = 96;

/** What costs the store more than the first page of a list. */
const SELDOM_MILLIS = 15_000;

/** The timers of a function: when they are due, and what can be done about each. */
export function TimersTab({ name, state }: Shown) {
  const [search, find] = useParameter('reference');
  const [from] = useState(() => Date.now());
  const status = useLive<TimerStatus>(timerStatusPath(name));
  const listed = useLive<Timers>(timersPath(name, { limit: PAGE, reference: search }), search === '' ? EVERY_MILLIS : SELDOM_MILLIS);
  const day = useLive<TimerDensity>(timerDensityPath(name, from, from + DAY_MILLIS, QUARTERS_OF_AN_HOUR), SELDOM_MILLIS);
  const error = status.error ?? listed.error;
  if (state.app.composite_status === 'undeployed' && (status.data?.pending ?? 0) === 0) {
    return <p class="card pad">{text.timers.deploy}</p>;
  }
  if (status.data === undefined || listed.data === undefined) {
    return error === undefined ? <Loading label={text.loading} /> : <Problem error={error} />;
  }
  const { pending, firing, dead, next_due: next, stopped_partitions: stopped } = status.data;
  const refresh = () => {
    listed.refresh();
    status.refresh();
  };
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
      <SearchField label={text.timers.search} value={search} change={find} placeholder={text.timers.reference} />
      {listed.data.timers.length === 0 ? (
        <p class="card pad">{text.timers.empty}</p>
      ) : (
        <Table columns={[text.timers.reference, text.timers.callback, text.timers.due, text.timers.context, '']}>
          {listed.data.timers.map((timer) => (
            <TimerRow key={timer.callback + ' ' + timer.reference} name={name} timer={timer} changed={refresh} />
          ))}
        </Table>
      )}
    </div>
  );
}
