import { type FunctionState, nameOfStats, type Stats } from '../../api/functions';

/** One look at the counters of a function. */
interface Sample {
  at: number;
  handled: number;
  failed: number;
  backlog: number;
  /** How many handlers took at most so many microseconds, by the bounds of the bins; absent in lists. */
  bins: Record<string, number> | undefined;
}

export interface Trend {
  handledPerSecond: number;
  failedPerSecond: number;
  failedLastMinute: number;
  /** When the numbers below were measured, in milliseconds since 1970. */
  at: number[];
  handled: number[];
  failed: number[];
  backlog: number[];
  /** Run times in microseconds since the measurement before; undefined where no handler ran. */
  median: (number | undefined)[];
  p99: (number | undefined)[];
}

const KEPT_MILLIS = 120_000;
const RATE_MILLIS = 6000;

const samples = new Map<string, Sample[]>();

/** What begins the names of the counters of calls. One that ran into its time limit is among the failures. */
const CALLS = ['on_update', 'on_delete', 'on_event', 'on_request', 'timer_callback'];

const calls = (stats: Stats, outcome: string): number =>
  CALLS.reduce((sum, call) => sum + Number(stats.execution_stats[`${call}_${outcome}`] ?? 0), 0);

export const handledBy = (stats: Stats): number => calls(stats, 'success');

export const failedBy = (stats: Stats): number => calls(stats, 'failure');

/** Remembers the counters, so that the page can show what happened since it was opened. */
export function observe(all: Stats[], at: number): void {
  for (const stats of all) {
    const name = nameOfStats(stats);
    const kept = samples.get(name) ?? [];
    if (kept.at(-1)?.at !== at) {
      const sample = { at, handled: handledBy(stats), failed: failedBy(stats), backlog: backlogOf(stats), bins: stats.latency_stats };
      samples.set(name, [...kept, sample].filter((one) => one.at > at - KEPT_MILLIS));
    }
  }
}

export function trend(name: string): Trend {
  const kept = samples.get(name) ?? [];
  const last = kept.at(-1);
  const recent = last === undefined ? [] : kept.filter((one) => one.at >= last.at - RATE_MILLIS);
  const minute = last === undefined ? undefined : kept.find((one) => one.at >= last.at - 60_000);
  const steps = (of: (one: Sample) => number) => kept.slice(1).map((one, i) => perSecond(kept[i] ?? one, one, of));
  const first = recent[0] ?? last;
  return {
    handledPerSecond: first && last ? perSecond(first, last, (one) => one.handled) : 0,
    failedPerSecond: first && last ? perSecond(first, last, (one) => one.failed) : 0,
    failedLastMinute: last && minute ? Math.max(0, last.failed - minute.failed) : 0,
    at: kept.slice(1).map((one) => one.at),
    handled: steps((one) => one.handled),
    failed: steps((one) => one.failed),
    backlog: kept.slice(1).map((one) => one.backlog),
    median: percentiles(kept, 0.5),
    p99: percentiles(kept, 0.99),
  };
}

/** Counters begin at zero again after a deployment: a step back counts as none. */
function perSecond(from: Sample, until: Sample, of: (one: Sample) => number): number {
  const seconds = (until.at - from.at) / 1000;
  return seconds <= 0 ? 0 : Math.max(0, of(until) - of(from)) / seconds;
}

const percentiles = (kept: Sample[], part: number) =>
  kept.slice(1).map((one, i) => percentile(kept[i]?.bins, one.bins, part));

/** The bound of the bin that this part of the handlers between two looks did not exceed. */
function percentile(before: Sample['bins'], after: Sample['bins'], part: number): number | undefined {
  if (before === undefined || after === undefined) {
    return undefined;
  }
  const steps = Object.entries(after)
    .map(([bound, count]) => [Number(bound), Math.max(0, count - (before[bound] ?? 0))] as const)
    .sort(([a], [b]) => a - b);
  const wanted = part * steps.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  return wanted === 0 ? undefined : steps.find(([, count]) => (seen += count) >= wanted)?.[0];
}

/** Stopped functions have no counters. */
export const runs = (state: FunctionState): boolean => state.composite_status !== 'undeployed';

/** How many changes wait. */
export const backlogOf = (stats: Stats | undefined): number => stats?.events_remaining?.['dcp_backlog'] ?? 0;

export const lettersOf = (stats: Stats | undefined): number => Number(stats?.event_processing_stats['dead_letter_counter'] ?? 0);
