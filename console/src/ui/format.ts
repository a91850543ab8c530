import { type Zone, zone } from './zone';

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const exact = inZones({ dateStyle: 'medium', timeStyle: 'long' });
const ofDay = inZones({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export const count = (n: number): string => whole.format(n);
export const compact = (n: number): string => (Math.abs(n) < 10_000 ? whole.format(n) : short.format(n));
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
export const rate = (n: number): string => (n === 0 ? '0' : n < 10 ? n.toFixed(1) : compact(Math.round(n)));
export const percent = (part: number): string => `${(100 * part).toLocaleString('en', { maximumFractionDigits: 1 })} %`;

function inZones(options: Intl.DateTimeFormatOptions): Record<Zone, Intl.DateTimeFormat> {
  return {
    utc: new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' }),
    local: new Intl.DateTimeFormat('en', options),
  };
}

/** A moment with its zone. */
export const moment = (millis: number): string => exact[zone()].format(millis);

/** The time of day of a moment, to the millisecond. */
export const clock = (millis: number): string => ofDay[zone()].format(millis);

export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const i = n === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(n) / 10));
  return `${(n / 1024 ** i).toLocaleString('en', { maximumFractionDigits: i === 0 ? 0 : 1 })} ${units[i]}`;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function ago(millis: number, now = Date.now()): string {
  const seconds = Math.round((millis - now) / 1000);
  const [unit, size] = UNITS.find(([, limit]) => Math.abs(seconds) >= limit) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

export function duration(seconds: number): string {
  if (seconds < 1) {
    return seconds === 0 ? '0 s' : `${Math.round(seconds * 1000)} ms`;
  }
  const [unit, size] = UNITS.find(([, limit]) => seconds >= limit) ?? ['second', 1];
  return `${Math.floor(seconds / size)} ${unit === 'second' ? 's' : unit === 'minute' ? 'min' : unit === 'hour' ? 'h' : 'd'}`;
}

export const micros = (n: number): string => (n < 1000 ? `${Math.round(n)} µs` : duration(n / 1e6));

/** JSON with line breaks, its numbers spelt as they are; text that is not JSON unchanged. */
export function pretty(json: string): string {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let depth = 0;
  const broken = () => '\n' + '  '.repeat(depth);
  // strings first, so that what looks like structure inside them stays
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g, (token) => {
    switch (token) {
      case '{':
      case '[':
        depth++;
        return token + broken();
      case '}':
      case ']':
        depth--;
        return broken() + token;
      case ',':
        return token + broken();
      case ':':
        return ': ';
      default:
        return token.startsWith('"') ? token : token.replaceAll(/\s/g, '');
    }
  });
}
