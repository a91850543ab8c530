export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Beyond this the table of the longest common part would be too large; then whole texts are compared. */
const MOST_LINES = 2000;

/** Lines of JSON say the same with and without a comma at their end. */
const same = (a: string | undefined, b: string | undefined): boolean => a?.replace(/,$/, '') === b?.replace(/,$/, '');

/** The lines of two JSON texts, with those that only one of them has; of two that say the same, the later one. */
export function diff(before: string, after: string): DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  if (a.length > MOST_LINES || b.length > MOST_LINES) {
    return [...a.map((text) => ({ kind: 'removed' as const, text })), ...b.map((text) => ({ kind: 'added' as const, text }))];
  }
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = same(a[i], b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && same(a[i], b[j])) {
      lines.push({ kind: 'same', text: b[j++] ?? '' });
      i++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i++] ?? '' });
    } else {
      lines.push({ kind: 'added', text: b[j++] ?? '' });
    }
  }
  return lines;
}
