import type { ComponentChildren } from 'preact';

/** A table with one row of heads, each row a card on a narrow screen; a column without a label has buttons. */
export function Table({ columns, children }: { columns: string[]; children: ComponentChildren }) {
  return (
    <div class="card">
      <table class="cards">
        <thead>
          <tr>
            {columns.map((label) =>
              label === '' ? (
                <td key={label} />
              ) : (
                <th key={label} scope="col">
                  {label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
