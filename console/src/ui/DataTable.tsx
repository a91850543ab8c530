import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useParameter } from '../shell/router';
import { text } from '../text';

export interface Column<R> {
  key: string;
  label: string;
  show: (row: R) => ComponentChildren;
  /** What the column is sorted by; without it, it is not. */
  by?: (row: R) => string | number;
  numeric?: boolean;
}

interface Props<R> {
  caption: string;
  columns: Column<R>[];
  rows: R[];
  id: (row: R) => string;
  /** The parameter of the address that has the order. */
  sort?: string;
}

/** Rows beyond these are added when the reader comes near the end: 10,000 of them would stall the page, 200 a key in a filter. */
const CHUNK = 50;

/** A table; on a narrow screen each row becomes a card with the same order. The first column names the row. */
export function DataTable<R>({ caption, columns, rows, id, sort = 'sort' }: Props<R>) {
  const [order, setOrder] = useParameter(sort);
  const [shown, more] = useState(CHUNK);
  const end = useRef<HTMLDivElement>(null);
  const down = order.startsWith('-');
  const key = down ? order.slice(1) : order;
  const by = columns.find((column) => column.key === key)?.by;
  const sorted = by === undefined ? rows : [...rows].sort((a, b) => compare(by(a), by(b)) * (down ? -1 : 1));
  useEffect(() => {
    const element = end.current;
    if (element === null) {
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && more((n) => n + CHUNK),
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [shown, shown < rows.length]); // again for each chunk: one may end above the reader's end of the page
  return (
    <div class="card">
      <table class="cards">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) =>
              column.label === '' ? (
                <td key={column.key} />
              ) : (
                <th
                  key={column.key}
                  scope="col"
                  class={column.numeric ? 'num' : ''}
                  aria-sort={column.key === key ? (down ? 'descending' : 'ascending') : undefined}
                >
                  {column.by === undefined ? (
                    column.label
                  ) : (
                    <button
                      type="button"
                      class="sort"
                      data-order={column.key === key ? (down ? 'down' : 'up') : undefined}
                      onClick={() => setOrder(next(column.key, order, column.numeric === true))}
                    >
                      {column.label}
                    </button>
                  )}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <Line key={id(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
      {shown < rows.length ? (
        <div ref={end} class="pad soft">
          {text.loading}
        </div>
      ) : null}
    </div>
  );
}

interface LineProps<R> {
  row: R;
  columns: Column<R>[];
}

/** One row. It is drawn again when it is another object than before, not with each key in a filter above the table. */
class Line<R> extends Component<LineProps<R>> {
  override shouldComponentUpdate(next: LineProps<R>): boolean {
    return next.row !== this.props.row || next.columns !== this.props.columns;
  }

  override render({ row, columns }: LineProps<R>) {
    return (
      <tr>
        {columns.map((column, i) =>
          i === 0 ? (
            <th key={column.key} scope="row">
              {column.show(row)}
            </th>
          ) : (
            <td key={column.key} class={column.numeric ? 'num' : ''} data-label={column.label}>
              {column.show(row)}
            </td>
          ),
        )}
      </tr>
    );
  }
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

/** The first click on a column of numbers shows the largest first; a third click returns to the usual order. */
function next(key: string, order: string, numeric: boolean): string {
  const [first, second] = numeric ? [`-${key}`, key] : [key, `-${key}`];
  return order === first ? second : order === second ? '' : first;
}
