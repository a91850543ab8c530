// Runs once in each context, before the user's code. Takes the host's functions, installs what user code sees as
// globals and returns the functions that Java calls. Keeps its own references to the built-ins that it uses, so that
// user code that replaces them hurts only itself.
(function (host, aliases) {
  'use strict';

  const {stringify, parse} = JSON;
  const {get: mapGet, set: mapSet} = WeakMap.prototype;
  const {apply} = Reflect;
  const {create, defineProperty, keys} = Object;
  const {isArray} = Array;
  const ErrorClass = Error;
  const DateClass = Date;
  const TypeErrorClass = TypeError;
  const RangeErrorClass = RangeError;
  const StringClass = String;
  const ArrayBufferClass = ArrayBuffer;
  const slice = ArrayBuffer.prototype.slice;
  const {isView} = ArrayBuffer;
  const {isInteger} = Number;
  const {get: hostGet, has: hostHas, put: hostPut, putBinary: hostPutBinary, remove: hostRemove} = host;
  const {log: hostLog, text: documentText, json: hostJson, firstDesign} = host;
  const MOST_CAUSES = 5;

  function install(target, name, value) {
    defineProperty(target, name, {value, writable: true, enumerable: false, configurable: true});
  }

  // ---- errors: their message is whatever they were made with, objects included

  function errorClass(name, isGlobal = true) {
    const type = {
      [name]: class extends ErrorClass {
        constructor(message) {
          super(typeof message === 'object' ? stringify(message) : message);
          install(this, 'message', message);
        }
        toString() {
          return describe(this);
        }
      },
    }[name];
    install(type.prototype, 'name', name);
    if (isGlobal) {
      install(globalThis, name, type);
    }
    return type;
  }

  const classes = {
    EventingError: errorClass('EventingError'),
    KVError: errorClass('KVError'),
    N1QLError: errorClass('N1QLError'),
    CurlError: errorClass('CurlError'),
    SqlError: errorClass('SqlError'),
    AnalyticsError: errorClass('AnalyticsError', false),
    SearchError: errorClass('SearchError', false),
    TypeError: TypeErrorClass,
    RangeError: RangeErrorClass,
  };

  function raise(className, message, code, name) {
    const error = new classes[className](className === 'KVError' ? {code, name, desc: message} : message);
    if (className === 'SqlError') {
      install(error, 'sqlState', name);
    }
    throw error;
  }

  function describe(error) {
    if (error instanceof ErrorClass) {
      const message = error.message;
      return `${error.name}: ${typeof message === 'object' ? stringify(message) : message}`;
    }
    return typeof error === 'string' ? error : show(error);
  }

  /** Describes what a handler has thrown, with the errors that it names as its causes. */
  function describeThrown(thrown) {
    let text = describe(thrown);
    let error = thrown;
    for (let i = 0; i < MOST_CAUSES && error instanceof ErrorClass && error.cause instanceof ErrorClass; i++) {
      error = error.cause;
      text += `; caused by ${describe(error)}`;
    }
    return text;
  }

  // ---- log

  function show(value) {
    switch (typeof value) {
      case 'string':
      case 'number':
      case 'boolean':
        return stringify(value);
      case 'bigint':
        return `${value}n`;
      case 'object':
        break;
      default:
        return 'undefined';
    }
    if (value === null) {
      return 'null';
    }
    const document = documentText(value);
    if (document !== undefined) {
      return document;
    }
    if (value instanceof ErrorClass) {
      return StringClass(value);
    }
    try {
      return stringify(value);
    } catch (unserializable) {
      return describe(unserializable);
    }
  }

  function logger(level) {
    return function log(...values) {
      let line = '';
      for (let i = 0; i < values.length; i++) {
        line += i === 0 ? show(values[i]) : ' ' + show(values[i]);
      }
      hostLog(level, line);
    };
  }

  const log = logger('INFO');
  const couchbase = {log};
  install(globalThis, 'log', log);
  install(globalThis, 'couchbase', couchbase);
  install(globalThis, 'console', {
    log,
    info: log,
    error: logger('ERROR'),
    warn: logger('WARNING'),
    debug: logger('DEBUG'),
    trace: logger('TRACE'),
  });

  // ---- bucket aliases

  // from the object that code has to what it stands for
  const bindings = new WeakMap();

  /** Returns a value that is to become JSON. To the host, a small BigInt is a number like any other. */
  function storable(value) {
    if (typeof value === 'bigint') {
      throw new TypeErrorClass('Do not know how to serialize a BigInt');
    }
    return value;
  }

  function readOnly(what, name) {
    throw new classes.EventingError(
        `${what} source bucket is forbidden: the binding ${name} is read-only; give it the access "rw" to allow writes`);
  }

  function bucket(number, name, access) {
    const {EventingError} = classes;

    function check(key) {
      if (typeof key === 'symbol') {
        throw new EventingError(`Invalid data type for key: a symbol cannot name a document of ${name}`);
      }
      if (access === 'WILDCARD') {
        throw new EventingError(
            `${name} stands for several collections: use an advanced accessor such as couchbase.get, ` +
            'whose meta argument names one');
      }
    }

    return new Proxy(create(null), {
      get(target, key) {
        check(key);
        return hostGet(number, key);
      },
      has(target, key) {
        check(key);
        return hostHas(number, key);
      },
      set(target, key, value) {
        check(key);
        if (access !== 'READ_WRITE') {
          readOnly('Writing to', name);
        }
        if (value instanceof ArrayBufferClass) {
          hostPutBinary(number, key, value);
        } else {
          hostPut(number, key, storable(value));
        }
        return true;
      },
      deleteProperty(target, key) {
        check(key);
        if (access !== 'READ_WRITE') {
          readOnly('Delete from', name);
        }
        hostRemove(number, key);
        return true;
      },
      ownKeys: () => [],
      getOwnPropertyDescriptor: () => undefined,
      defineProperty: () => false,
      getPrototypeOf: () => null,
      setPrototypeOf: () => false,
    });
  }

  for (let i = 0; i < aliases.length; i++) {
    const {name, access} = aliases[i];
    const value = bucket(i, name, access);
    apply(mapSet, bindings, [value, {kind: 'bucket', number: i, name, access}]);
    defineProperty(globalThis, name, {value});
  }

  // ---- entry points

  function meta(id, cas, flags, vb, seq, binary, expiration, bucketName, scopeName, collectionName) {
    const result = {
      id,
      cas,
      flags,
      vb,
      seq,
      datatype: binary ? 'binary' : 'json',
      expiration,
      keyspace: {bucket_name: bucketName, scope_name: scopeName, collection_name: collectionName},
    };
    if (firstDesign) {
      result.docid = id;
      result.expiry = expiration;
    }
    if (expiration !== 0) {
      result.expiry_date = new DateClass(expiration * 1000);
    }
    return result;
  }

  // ---- what OnRequest returns, as status, names and values of headers, kind of the body, and the body or what gives its parts

  function expected(what) {
    throw new TypeErrorClass(
        `OnRequest returned ${what}; expected an object with status, headers and body, each of them optional`);
  }

  function responseOf(result) {
    if (result === undefined || result === null) {
      return [204, [], 'NONE', undefined];
    }
    if (typeof result !== 'object') {
      expected(`a ${typeof result}`);
    }
    if (isArray(result) || typeof result.then === 'function') {
      expected(isArray(result) ? 'an array' : 'a promise');
    }
    if (typeof result.next === 'function') {
      expected('a generator, which can be the body');
    }
    const names = keys(result);
    for (let i = 0; i < names.length; i++) {
      if (names[i] !== 'status' && names[i] !== 'headers' && names[i] !== 'body') {
        expected(`an object with the member ${stringify(names[i])}`);
      }
    }
    const {status, headers, body} = result;
    const code = status === undefined ? (body === undefined ? 204 : 200) : status;
    if (!isInteger(code) || code < 200 || code > 599) {
      throw new RangeErrorClass(`OnRequest returned the status ${show(status)}; expected an integer from 200 to 599`);
    }
    const lines = headers === undefined ? [] : linesOf(headers);
    if (body === undefined) {
      return [code, lines, 'NONE', undefined];
    }
    if (typeof body === 'string') {
      return [code, lines, 'TEXT', body];
    }
    if (body instanceof ArrayBufferClass) {
      return [code, lines, 'BYTES', body];
    }
    if (typeof body === 'object' && body !== null && typeof body.next === 'function') {
      return [code, lines, 'PARTS', partsOf(body)];
    }
    return isView(body) ? [code, lines, 'BYTES', bytesOf(body)] : [code, lines, 'JSON', storable(body)];
  }

  function partsOf(iterator) {
    return {
      next() {
        const {done, value} = iterator.next();
        if (done) {
          return null;
        }
        if (typeof value === 'string' || value instanceof ArrayBufferClass) {
          return value;
        }
        if (isView(value)) {
          return bytesOf(value);
        }
        throw new TypeErrorClass(`OnRequest gave ${show(value)} as a part of its body; expected a string or bytes`);
      },
      stop() {
        if (typeof iterator.return === 'function') {
          iterator.return();
        }
      },
    };
  }

  function linesOf(headers) {
    if (typeof headers !== 'object' || headers === null || isArray(headers)) {
      throw new TypeErrorClass(`OnRequest returned the headers ${show(headers)}; expected an object`);
    }
    const lines = [];
    const names = keys(headers);
    for (let i = 0; i < names.length; i++) {
      const values = isArray(headers[names[i]]) ? headers[names[i]] : [headers[names[i]]];
      for (let j = 0; j < values.length; j++) {
        const value = values[j];
        if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
          throw new TypeErrorClass(`OnRequest returned ${show(value)} as a value of the header ${names[i]}; ` +
              'expected a string, or an array of strings');
        }
        lines[lines.length] = names[i];
        lines[lines.length] = `${value}`;
      }
    }
    return lines;
  }

  function bytesOf(view) {
    return apply(slice, view.buffer, [view.byteOffset, view.byteOffset + view.byteLength]);
  }

  function entryPoints(OnUpdate, OnDelete, OnDeploy, OnRequest, OnEvent) {
    return {
      request(request, body) {
        request.body = body;
        return responseOf(OnRequest(request));
      },
      deploy(reason, delay) {
        OnDeploy({reason, delay});
      },
      update(doc, xattrs, old, ...about) {
        OnUpdate(doc, apply(meta, undefined, about), xattrs === undefined ? {} : xattrs, {old});
      },
      remove(expired, unused, old, ...about) {
        OnDelete(apply(meta, undefined, about), {expired, old});
      },
      appended(event, about) {
        about.time = new DateClass(about.time);
        OnEvent(event, about);
      },
    };
  }

  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;
  delete globalThis.arguments;

  return {
    raise,
    describe: describeThrown,
    parse,
    entryPoints,
    kit: {
      install,
      classes,
      couchbase,
      encode: hostJson,
      storable,
      readOnly,
      bind: (key, value) => apply(mapSet, bindings, [key, value]),
      bindingOf: (key) => (typeof key === 'object' && key !== null ? apply(mapGet, bindings, [key]) : undefined),
      undefined,
    },
    undefined,
    where: () => new ErrorClass().stack,
    // a copy, because the host's bytes must not change under the document that they came from
    buffer: (bytes) => apply(slice, new ArrayBufferClass(bytes), [0]),
  };
});
