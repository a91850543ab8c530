import type { Trace, TraceSpan as Span } from '../../generated/functions';
import type { Call } from './http';
import { search } from './http';

export type { Trace, TracePage as Traces, TraceSpan as Span } from '../../generated/functions';

/** By what traces are found; exactly one. */
export const BY = ['document', 'request', 'function', 'trace'] as const;
export type By = (typeof BY)[number];

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const LISTED = 50;

/** The newest traces; those of a function in another scope than the default name bucket and scope before it. */
export function tracesPath(by: By, value: string): string {
  const parts = value.split('/');
  const [bucket, scope, name] = by === 'function' && parts.length === 3 ? parts : [undefined, undefined, value];
  return 'api/v1/traces' + search({ [by]: name, bucket, scope, limit: by === 'trace' ? undefined : LISTED });
}

/** What shows the same in a terminal. */
export function command(by: By, value: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
  return './millrace fn trace ' + (by === 'function' ? word : `--${by === 'trace' ? 'id' : by} ${word}`);
}

/** A write that is followed whatever the rate: its trace has an id of its own, which is known beforehand. */
export function followed(bucket: string): { call: Call; id: string } {
  const id = hex(TRACE_BYTES);
  return {
    id,
    call: {
      method: 'PUT',
      path: `api/v1/buckets/${encodeURIComponent(bucket)}/docs/followed`,
      json: { kg: 2 },
      headers: { traceparent: `00-${id}-${hex(SPAN_BYTES)}-01` },
    },
  };
}

function hex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A span with what it led to. */
export interface Step {
  span: Span;
  steps: Step[];
}

/** The spans as trees. A span whose cause is not known, or may not be read, is a root. */
export function stepsOf({ spans }: Trace): Step[] {
  const steps = new Map(spans.map((span) => [span.span, { span, steps: [] as Step[] }]));
  const roots: Step[] = [];
  for (const step of steps.values()) {
    (steps.get(step.span.parent)?.steps ?? roots).push(step);
  }
  return roots;
}

/** How many functions in a row it took to the last one; a callback is not another one than the function that set the timer. */
export function hops(steps: Step[], within?: string): number {
  return Math.max(
    0,
    ...steps.map(({ span, steps: next }) => {
      const by = span.kind === 'handler' ? span.attributes['function'] : within;
      return (by === within ? 0 : 1) + hops(next, by);
    }),
  );
}

const microsOf = (time: string): number => Date.parse(time) * 1000 + Number(/\.\d{3}(\d{0,3})/.exec(time)?.[1]?.padEnd(3, '0') ?? 0);

export const startOf = ({ started }: { started: string }): number => microsOf(started);
export const endOf = (span: Span): number => startOf(span) + span.duration_us;

/** The longest pause that is drawn at its length, as a part of the time in which something happened. */
const LONGEST_PAUSE = 0.5;
/** Pauses up to this are drawn at their length in any case. */
const SHORT_PAUSE_MICROS = 10_000;

/** Where moments of a trace are in its picture. */
export interface Scale {
  /** From 0 to 1. */
  at: (micros: number) => number;
  /** By how much pauses are drawn shorter than they were, in microseconds. */
  leftOut: number;
}

/** A timer may wait for days between two steps of microseconds: pauses in which nothing happened are shortened. */
export function scaleOf(spans: Span[]): Scale {
  const busy = merged(spans);
  const happened = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  const longest = Math.max(SHORT_PAUSE_MICROS, happened * LONGEST_PAUSE);
  const points: [at: number, drawn: number][] = [];
  let drawn = 0;
  let leftOut = 0;
  let last: number | undefined;
  for (const [from, to] of busy) {
    const pause = last === undefined ? 0 : from - last;
    leftOut += Math.max(0, pause - longest);
    drawn += Math.min(pause, longest);
    points.push([from, drawn]);
    drawn += to - from;
    points.push([to, drawn]);
    last = to;
  }
  const at = (micros: number) => {
    const before = points.findLast(([time]) => time <= micros) ?? points[0] ?? [micros, 0];
    return drawn === 0 ? 0 : Math.min(1, (before[1] + Math.max(0, micros - before[0])) / drawn);
  };
  return { at, leftOut };
}

/** The times in which something happened, in their order and without overlaps. */
function merged(spans: Span[]): [from: number, to: number][] {
  const all = spans.map((span): [number, number] => [startOf(span), endOf(span)]).sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const [from, to] of all) {
    const before = result.at(-1);
    if (before !== undefined && from <= before[1]) {
      before[1] = Math.max(before[1], to);
    } else {
      result.push([from, to]);
    }
  }
  return result;
}
