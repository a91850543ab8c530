import type { Env, SettingValue } from '../../api/functions';
import { text } from '../../text';

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

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
  | { kind: 'lines' }
  | { kind: 'constants' }
  | { kind: 'requests' };

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
  if (values.includes('OpenAPI')) {
    return { kind: 'requests' };
  }
  if (values.startsWith('an object ')) {
    return { kind: 'constants' };
  }
  return { kind: 'text', max: Number(/at most (\d+) characters/.exec(values)?.[1] ?? 4096) };
}

/** Constants as lines such as `RATE = 0.19`. */
export function constantLines(value: SettingValue): string {
  return Object.entries(value as Env)
    .map(([name, constant]) => `${name} = ${typeof constant === 'string' && plain(constant) ? constant : JSON.stringify(constant)}`)
    .join('\n');
}

/** Whether a line with this text stands for the text itself. */
function plain(constant: string): boolean {
  return constant === constant.trim() && !constant.includes('\n') && constantOf(constant) === constant;
}

/** Reads lines of constants; a value stands for a text unless it is a number, true, false or quoted. */
export function readConstants(lines: string): Env {
  const env: Env = {};
  for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
    const [name = '', ...value] = line.split('=');
    env[name.trim()] = constantOf(value.join('=').trim());
  }
  return env;
}

function constantOf(value: string): string | number | boolean {
  try {
    const json: unknown = JSON.parse(value);
    return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean' ? json : value;
  } catch {
    return value;
  }
}

/** What is wrong with a value, in the words of the reference; empty if it is right. */
export function wrong(row: SettingRow, value: SettingValue): string {
  const form = formOf(row);
  if (form.kind === 'number') {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= form.min && value <= form.max;
    return fits ? '' : `Expected ${row.values}.`;
  }
  if (form.kind === 'requests') {
    return typeof value === 'string' ? notJson(value) : '';
  }
  return form.kind === 'text' && String(value).length > form.max ? `Expected ${row.values}.` : '';
}

/** What is wrong with JSON that is being typed. */
function notJson(typed: string): string {
  try {
    JSON.parse(typed);
    return text.settings.notAnObject;
  } catch (error) {
    return text.documents.notJson(error instanceof Error ? error.message : '');
  }
}

/** The requests that the setting `openapi` describes, such as `GET /{id}`. */
export function requestsIn(value: SettingValue): string[] {
  const paths = (value as { paths?: Record<string, Record<string, unknown>> }).paths ?? {};
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => method in Object(operations)).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Whether a setting may change while the function is in this state. */
export function mayChange({ change }: SettingRow, state: string): boolean {
  return (
    change === 'always' ||
    state === 'undeployed' ||
    (state === 'paused' && change.includes('paused'))
  );
}
