import type { ComponentChildren } from 'preact';
import { type Timers, timersPath } from '../../api/functions';
import { EVERY_MILLIS, useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { SearchField } from '../../ui/SearchField';
import { Table } from '../../ui/Table';
import { useSettled } from '../../ui/settled';
import { TimerRow } from './TimerRow';

const PAGE = 100;

/** Looking for a timer costs the store more than the first page of the list. */
const SEARCH_MILLIS = 15_000;

interface Props {
  name: string;
  /** Until when a timer is due that is shown, in milliseconds since 1970; without it, any. */
  until: number | undefined;
  changed: () => void;
  /** What else narrows the list, next to the field for a text. */
  children: ComponentChildren;
}

/** The next timers, or those with a text in their reference. */
export function TimerList({ name, until, changed, children }: Props) {
  const [search, find] = useParameter('reference');
  const wanted = useSettled(search);
  const listed = useLive<Timers>(timersPath(name, { limit: PAGE, reference: wanted, to: until }), wanted === '' ? EVERY_MILLIS : SEARCH_MILLIS);
  const none = until !== undefined ? text.timers.noneDue : wanted === '' ? text.timers.empty : text.timers.none;
  const refresh = () => {
    listed.refresh();
    changed();
  };
  return (
    <>
      <div class="row">
        <SearchField label={text.timers.search} value={search} change={find} placeholder={text.timers.reference} />
        {children}
      </div>
      {listed.data === undefined && listed.error === undefined ? <Loading label={text.loading} /> : null}
      {listed.error === undefined ? null : <Problem error={listed.error} />}
      {listed.data?.timers.length === 0 ? <p class="card pad">{none}</p> : null}
      {listed.data === undefined || listed.data.timers.length === 0 ? null : (
        <Table columns={[text.timers.reference, text.timers.callback, text.timers.due, text.timers.context, '']}>
          {listed.data.timers.map((timer) => (
            <TimerRow key={timer.callback + ' ' + timer.reference} name={name} timer={timer} changed={refresh} />
          ))}
        </Table>
      )}
    </>
  );
}
