import { useMemo } from 'preact/hooks';
import { failureText, type FunctionState, nameOfState, nameOfStats, type Stats } from '../../api/functions';
import { to, useParameter } from '../../shell/router';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { SearchField } from '../../ui/SearchField';
import { compact, duration, rate } from '../../ui/format';
import { Name } from '../../ui/Name';
import { Sparkline } from '../../ui/Sparkline';
import { FunctionStatus } from '../../ui/Status';
import { backlogOf, lettersOf, trend } from './rates';

interface Row {
  name: string;
  state: FunctionState;
  stats: Stats | undefined;
}

const words = text.functions.columns;

const COLUMNS: Column<Row>[] = [
  {
    key: 'name',
    label: words.name,
    by: ({ name }) => name,
    show: ({ name }) => (
      <a class="break" href={to(['functions', name])}>
        <Name of={name} />
      </a>
    ),
  },
  {
    key: 'state',
    label: words.state,
    by: ({ state }) => state.composite_status,
    show: ({ state }) => (
      <span title={failureText(state.failure)}>
        <FunctionStatus state={state.composite_status} failed={state.failure !== undefined} />
      </span>
    ),
  },
  {
    key: 'rate',
    label: words.rate,
    numeric: true,
    by: ({ name }) => trend(name).handledPerSecond,
    show: ({ name, stats }) => (stats === undefined ? '' : rate(trend(name).handledPerSecond)),
  },
  {
    key: 'failures',
    label: words.failures,
    numeric: true,
    by: ({ name }) => trend(name).failedPerSecond,
    show: ({ name, stats }) => {
      const failures = trend(name).failedPerSecond;
      return stats === undefined ? '' : <span class={failures > 0 ? 'tone-failed' : ''}>{rate(failures)}</span>;
    },
  },
  {
    key: 'backlog',
    label: words.backlog,
    numeric: true,
    by: ({ stats }) => (stats === undefined ? -1 : backlogOf(stats)),
    show: ({ stats }) => (stats === undefined ? '' : compact(backlogOf(stats))),
  },
  {
    key: 'lag',
    label: words.lag,
    numeric: true,
    by: ({ stats }) => stats?.lag_seconds ?? -1,
    show: ({ stats }) => (stats === undefined ? '' : duration(stats.lag_seconds ?? 0)),
  },
  {
    key: 'letters',
    label: words.letters,
    numeric: true,
    by: ({ stats }) => lettersOf(stats),
    show: ({ name, stats }) =>
      stats === undefined ? '' : lettersOf(stats) === 0 ? '0' : (
        <a href={to(['functions', name, 'letters'])}>{compact(lettersOf(stats))}</a>
      ),
  },
  {
    key: 'trend',
    label: words.trend,
    show: ({ name, stats }) => (stats === undefined ? '' : <Sparkline values={trend(name).handled} />),
  },
];

function rowsOf(states: FunctionState[], stats: Stats[]): Row[] {
  const counters = new Map(stats.map((one) => [nameOfStats(one), one]));
  return states.map((state) => {
    const name = nameOfState(state);
    return { name, state, stats: counters.get(name) };
  });
}

/** All functions with what they are doing now; order and filter stand in the address. */
export function FunctionTable({ states, stats }: { states: FunctionState[]; stats: Stats[] }) {
  const [filter, setFilter] = useParameter('filter');
  const all = useMemo(() => rowsOf(states, stats), [states, stats]);
  const wanted = filter.toLowerCase();
  const rows = all.filter(({ name, state }) => `${name} ${state.composite_status}`.toLowerCase().includes(wanted));
  return (
    <section class="stack tight">
      <div class="row">
        <SearchField label={text.actions.filter} value={filter} change={setFilter} />
        {rows.length === states.length ? null : <span class="soft">{`${rows.length} / ${states.length}`}</span>}
      </div>
      {rows.length === 0 ? (
        <p class="soft">{text.functions.emptyFilter}</p>
      ) : (
        <DataTable caption={text.functions.title} columns={COLUMNS} rows={rows} id={({ name }) => name} />
      )}
    </section>
  );
}
