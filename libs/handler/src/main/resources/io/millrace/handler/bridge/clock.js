// Replaces Date by one that shows another clock, for code that is tried out. Runs before bootstrap.js, which keeps
// references to the built-ins.
(function (now) {
  'use strict';

  const MachineDate = Date;
  const {construct} = Reflect;
  const {defineProperty} = Object;

  function ShownDate(...parts) {
    if (new.target === undefined) {
      return new MachineDate(now()).toString();
    }
    return construct(MachineDate, parts.length === 0 ? [now()] : parts, new.target);
  }

  for (const [name, value] of [['parse', MachineDate.parse], ['UTC', MachineDate.UTC], ['now', () => now()]]) {
    defineProperty(ShownDate, name, {value, writable: true, enumerable: false, configurable: true});
  }
  defineProperty(ShownDate, 'name', {value: 'Date', configurable: true});
  defineProperty(ShownDate, 'length', {value: 7, configurable: true});
  defineProperty(ShownDate, 'prototype', {value: MachineDate.prototype, writable: false});
  defineProperty(MachineDate.prototype, 'constructor', {value: ShownDate, writable: true, configurable: true});
  defineProperty(globalThis, 'Date', {value: ShownDate, writable: true, enumerable: false, configurable: true});
});
