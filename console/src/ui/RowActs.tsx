import type { ComponentChildren } from 'preact';

/** What can be done about a row of a table: at the end of the row, below its values on a narrow screen. */
export function RowActs({ children }: { children: ComponentChildren }) {
  return <div class="row end">{children}</div>;
}
