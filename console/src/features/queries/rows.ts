/** The column of rows that are not objects. */
const VALUE = 'value';

export function tableRow(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, unknown>) : { [VALUE]: row };
}

/** The names of all columns, in the order in which they appear. */
export function columnsOf(rows: unknown[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(tableRow(row))))];
}

export function shown(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

export function csv(rows: unknown[]): string {
  const columns = columnsOf(rows);
  const cell = (value: unknown) => {
    const text = shown(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => columns.map((column) => cell(tableRow(row)[column])).join(','));
  return [columns.map(cell).join(','), ...lines].join('\r\n') + '\r\n';
}

export function download(name: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
