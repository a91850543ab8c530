import type { SettingValue } from '../../api/functions';

/** A setting as the server describes it; the table is made from the reference page, which is made from the code. */
export interface SettingRow {
  name: string;
  fallback: string;
  values: string;
  change: string;
  meaning: string;
}

export type Form =
  | { kind: 'flag' }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'choice'; choices: string[] }
  | { kind: 'text'; max: number }
  | { kind: 'lines' };

/** Reads the form of a setting from the words that describe its values. */
export function formOf({ values }: SettingRow): Form {
  const range = /^a whole number from (\d+) to (\d+)$/.exec(values);
  if (range !== null) {
    return { kind: 'number', min: Number(range[1]), max: Number(range[2]) };
  }
  if (values.startsWith('one of ')) {
    return { kind: 'choice', choices: values.slice(7).split(', ').map((choice) => (choice === '""' ? '' : choice)) };
  }
  if (values === 'true or false') {
    return { kind: 'flag' };
  }
  if (values.startsWith('an array ')) {
    return { kind: 'lines' };
  }
  return { kind: 'text', max: Number(/at most (\d+) characters/.exec(values)?.[1] ?? 4096) };
}

/** What is wrong with a value, in the words of the reference; empty if it is right. */
export function wrong(row: SettingRow, value: SettingValue): string {
  const form = formOf(row);
  if (form.kind === 'number') {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= form.min && value <= form.max;
    return fits ? '' : `Expected ${row.values}.`;
  }
  return form.kind === 'text' && String(value).length > form.max ? `Expected ${row.values}.` : '';
}

/** Whether a setting may change while the function is in this state. */
export function mayChange({ change }: SettingRow, state: string): boolean {
  return (
    change === 'always' ||
    state === 'undeployed' ||
    (state === 'paused' && change.includes('paused'))
  );
}
