// createTimer and cancelTimer, and the timers of the first design. Runs after bootstrap.js, before the user's code.
(function (host, kit) {
  'use strict';

  const {install, couchbase, encode, classes: {EventingError}} = kit;
  const {create: hostCreate, cancel: hostCancel, firstDesign} = host;
  const {getTime} = Date.prototype;
  const {apply} = Reflect;
  const {isFinite: finite} = Number;

  /** Returns the name of a function that the code declares. */
  function nameOf(callback, called) {
    if (typeof callback === 'function' && callback.name === '') {
      throw new EventingError('Invalid arg: Anonymous function is not allowed');
    }
    if (typeof callback !== 'function' || globalThis[callback.name] !== callback) {
      throw new EventingError(`First argument to ${called} must be a valid global function`);
    }
    return callback.name;
  }

  /** Returns the milliseconds of a Date, undefined for anything else. */
  function millisOf(date) {
    try {
      return apply(getTime, date, []);
    } catch (notADate) {
      return undefined;
    }
  }

  function valid(millis) {
    if (!finite(millis)) {
      throw new EventingError('Unable to compute epoch for the given Date instance');
    }
    return millis;
  }

  function text(value, what) {
    if (value !== undefined && typeof value !== 'string') {
      throw new EventingError(`${what} must be a string`);
    }
    return value ?? '';
  }

  /** The optional fifth argument: {skip_after: Date, opaque: string}. */
  function options(given) {
    if (given === undefined || given === null) {
      return {skipAfter: null, opaque: ''};
    }
    const {skip_after: date, opaque} = given;
    const skipAfter = date === undefined || date === null ? null : millisOf(date);
    if (skipAfter === undefined) {
      throw new EventingError('Option skip_after of createTimer must be a Date object instance');
    }
    return {
      skipAfter: skipAfter === null ? null : valid(skipAfter),
      opaque: text(opaque, 'Option opaque of createTimer'),
    };
  }

  function createTimer(callback, date, reference, context, more) {
    if (arguments.length < 3) {
      throw new EventingError('createTimer needs atleast 3 arguments - callback function, time, reference');
    }
    const name = nameOf(callback, 'createTimer');
    const millis = millisOf(date);
    if (millis === undefined) {
      throw new EventingError('Second argument to createTimer must be a Date object instance');
    }
    if (typeof reference !== 'string' && reference !== null && reference !== undefined) {
      throw new EventingError('Third argument to createTimer must be a string (or null to generate an ID)');
    }
    const {skipAfter, opaque} = options(more);
    return hostCreate(name, valid(millis), reference ?? null, encode(context) ?? null, skipAfter, opaque, false);
  }

  function cancelTimer(callback, reference) {
    if (arguments.length < 2) {
      throw new EventingError('cancelTimer needs 2 arguments - callback function, reference');
    }
    const name = nameOf(callback, 'cancelTimer');
    if (typeof reference !== 'string') {
      throw new EventingError('Second argument to cancelTimer must be a string');
    }
    return hostCancel(name, reference);
  }

  /** Returns the milliseconds of an expiry: a Date, or seconds since 1970. */
  function expiryOf(expiry, called) {
    const millis = typeof expiry === 'number' ? expiry * 1000 : millisOf(expiry);
    if (millis === undefined) {
      throw new EventingError(`The expiry given to ${called} must be seconds since 1970 or a Date`);
    }
    return valid(millis);
  }

  function docTimer(callback, id, expiry, opaque) {
    const name = nameOf(callback, 'docTimer');
    if (typeof id !== 'string') {
      throw new EventingError('Second argument to docTimer must be the id of a document');
    }
    const word = text(opaque, 'The opaque of docTimer');
    return hostCreate(name, expiryOf(expiry, 'docTimer'), id, encode(id), null, word, true);
  }

  function nonDocTimer(callback, expiry, opaque) {
    const name = nameOf(callback, 'nonDocTimer');
    return hostCreate(
        name, expiryOf(expiry, 'nonDocTimer'), null, null, null, text(opaque, 'The opaque of nonDocTimer'), false);
  }

  install(globalThis, 'createTimer', createTimer);
  install(globalThis, 'cancelTimer', cancelTimer);
  couchbase.createTimer = createTimer;
  couchbase.cancelTimer = cancelTimer;
  if (firstDesign) {
    install(globalThis, 'docTimer', docTimer);
    install(globalThis, 'nonDocTimer', nonDocTimer);
  }
});
