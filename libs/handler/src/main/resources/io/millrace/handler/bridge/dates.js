// Makes dates those of V8: local times have a plain space before AM and PM, texts have the full name of the time zone, and a day
// without a time is a local one. Shows another clock to code that is tried out. Runs before bootstrap.js, which keeps references
// to the built-ins.
(function (now) {
  'use strict';

  const EngineDate = Date;
  const {apply, construct} = Reflect;
  const {defineProperty} = Object;
  const {parse: parseText, UTC, now: machineNow} = EngineDate;
  const {getTime, getUTCFullYear, getUTCMonth, getUTCDate} = EngineDate.prototype;
  const {test} = RegExp.prototype;
  const {replace} = String.prototype;

  // such as 2026-11-26, which is a day in UTC
  const STANDARD = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/;
  const TIME_OR_ZONE = /:|\d\s*(?:am|pm|z)\b|\b(?:utc?|gmt|[ecmp][sd]t)\b/i;

  const plain = (text) => apply(replace, text, [/\u202f/g, ' ']);
  const plainParts = (parts) => parts.map((part) => ({...part, value: plain(part.value)}));

  function wrap(prototype, name, mended) {
    const format = prototype[name];
    const {[name]: value} = {
      [name](...given) {
        return mended(apply(format, this, given), this);
      },
    };
    defineProperty(prototype, name, {value, writable: true, enumerable: false, configurable: true});
  }

  wrap(EngineDate.prototype, 'toLocaleString', plain);
  wrap(EngineDate.prototype, 'toLocaleTimeString', plain);

  const formats = Intl.DateTimeFormat.prototype;
  const {formatToParts} = formats;
  const zoneNames = Object.create(null);

  /** Returns the full name of the time zone that the engine calls by a short one, such as PDT. */
  function zoneName(short, date) {
    for (const {type, value} of apply(formatToParts, new Intl.DateTimeFormat('en-US', {timeZoneName: 'long'}), [date])) {
      if (type === 'timeZoneName') {
        return value;
      }
    }
    return short;
  }

  const named = (text, date) =>
    apply(replace, text, [/\((.+)\)$/, (all, short) => `(${(zoneNames[short] ??= zoneName(short, date))})`]);
  wrap(EngineDate.prototype, 'toString', named);
  wrap(EngineDate.prototype, 'toTimeString', named);

  wrap(formats, 'formatRange', plain);
  wrap(formats, 'formatToParts', plainParts);
  wrap(formats, 'formatRangeToParts', plainParts);
  const {get: formatOf} = Object.getOwnPropertyDescriptor(formats, 'format');
  defineProperty(formats, 'format', {
    get() {
      const format = apply(formatOf, this, []);
      return (date) => plain(format(date));
    },
    enumerable: false,
    configurable: true,
  });

  const offset = (month) => new EngineDate(2020, month).getTimezoneOffset();
  if (now === null && offset(0) === 0 && offset(6) === 0) {
    return; // in UTC both are the same
  }

  /** Returns the milliseconds of a text; 11/26/2026 is a day of the local time zone, where the engine takes one in UTC. */
  function parse(text) {
    const millis = parseText(text);
    if (millis !== millis || apply(test, STANDARD, [text]) || apply(test, TIME_OR_ZONE, [text])) {
      return millis;
    }
    const day = new EngineDate(millis);
    const midnight = new EngineDate(
        apply(getUTCFullYear, day, []), apply(getUTCMonth, day, []), apply(getUTCDate, day, []));
    return apply(getTime, midnight, []);
  }

  const clock = now === null ? machineNow : () => now();

  function LocalDate(...parts) {
    if (new.target === undefined) {
      return `${new EngineDate(clock())}`;
    }
    if (parts.length === 0) {
      return construct(EngineDate, [clock()], new.target);
    }
    const read = parts.length === 1 && typeof parts[0] === 'string' ? [parse(parts[0])] : parts;
    return construct(EngineDate, read, new.target);
  }

  for (const [name, value] of [['parse', (text) => parse(`${text}`)], ['UTC', UTC], ['now', clock]]) {
    defineProperty(LocalDate, name, {value, writable: true, enumerable: false, configurable: true});
  }
  defineProperty(LocalDate, 'name', {value: 'Date', configurable: true});
  defineProperty(LocalDate, 'length', {value: 7, configurable: true});
  defineProperty(LocalDate, 'prototype', {value: EngineDate.prototype, writable: false});
  defineProperty(EngineDate.prototype, 'constructor', {value: LocalDate, writable: true, configurable: true});
  defineProperty(globalThis, 'Date', {value: LocalDate, writable: true, enumerable: false, configurable: true});
});
