import type { Tone } from './Status';

const WIDTH = 300;
const HEIGHT = 72;

/** A chart that has just begun shows this much time at least. */
const SHORTEST_MILLIS = 10_000;

/** The course of one number; what was not measured is left out. */
export interface Course {
  name?: string;
  values: (number | undefined)[];
  tone: Tone;
}

/** Something that happened at a time. */
export interface ChartMark {
  at: number;
  label: string;
}

interface Props {
  label: string;
  /** When the values were measured, in milliseconds since 1970. */
  at: number[];
  courses: Course[];
  marks: ChartMark[];
  show: (value: number) => string;
}

/** The newest values in words, the courses since the first measurement or mark as lines, and marks at their seconds. */
export function Chart({ label, at, courses, marks, show }: Props) {
  const end = at.at(-1) ?? 0;
  const begin = Math.min(at[0] ?? end, end - SHORTEST_MILLIS, ...marks.map((mark) => mark.at));
  const top = Math.max(1, ...courses.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const x = (time: number) => (((time - begin) / (end - begin || 1)) * WIDTH).toFixed(1);
  const y = (value: number) => (HEIGHT - (value / top) * (HEIGHT - 6)).toFixed(1);
  return (
    <figure class="card chart">
      <figcaption class="row between">
        <span class="soft">{label}</span>
        <span class="row">
          {courses.map(({ name, values, tone }) => (
            <strong key={tone} class="mono">
              {name === undefined ? null : <span class={`tone-${tone}`}>{name} </span>}
              {newest(values, show)}
            </strong>
          ))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {marks
          .filter((mark) => mark.at <= end)
          .map((mark) => (
            <line
              key={mark.label}
              class="chart-mark"
              data-at={new Date(mark.at).toISOString()}
              x1={x(mark.at)}
              x2={x(mark.at)}
              y1="0"
              y2={HEIGHT}
              vector-effect="non-scaling-stroke"
            />
          ))}
        {courses.map(({ values, tone }, i) => (
          <Line
            key={tone}
            tone={tone}
            filled={i === 0}
            points={values.flatMap((value, k) => (value === undefined ? [] : [[x(at[k] ?? end), y(value)] as const]))}
          />
        ))}
      </svg>
    </figure>
  );
}

/** Nothing was measured before a handler has run. */
function newest(values: Course['values'], show: (value: number) => string): string {
  const value = values.findLast((one) => one !== undefined);
  return value === undefined ? '–' : show(value);
}

function Line({ points, tone, filled }: { points: (readonly [string, string])[]; tone: Tone; filled: boolean }) {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) {
    return null;
  }
  const path = points.map(([x, y]) => `${x},${y}`).join(' ');
  return (
    <g class={`tone-${tone}`}>
      {filled ? (
        <polygon points={`${first[0]},${HEIGHT} ${path} ${last[0]},${HEIGHT}`} fill="currentColor" opacity="0.14" />
      ) : null}
      <polyline points={path} fill="none" stroke="currentColor" stroke-width="1.5" vector-effect="non-scaling-stroke" />
    </g>
  );
}
