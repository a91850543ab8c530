// Functions that need nothing but their arguments. Runs after bootstrap.js, before the user's code.
(function (host, kit) {
  'use strict';

  const {install, couchbase, classes: {EventingError, TypeError}} = kit;
  const {crc64: hostCrc64, base64: hostBase64, unbase64: hostUnbase64} = host;
  const {stringify} = JSON;
  const {isArray, from} = Array;
  const ArrayBufferClass = ArrayBuffer;
  const {isView} = ArrayBuffer;
  const {slice} = ArrayBuffer.prototype;
  const {apply} = Reflect;

  /** Returns the bytes of a buffer or of a view on one, undefined for anything else. */
  function bytesOf(value) {
    if (value instanceof ArrayBufferClass) {
      return value;
    }
    return isView(value) ? apply(slice, value.buffer, [value.byteOffset, value.byteOffset + value.byteLength]) : undefined;
  }

  function json(value) {
    return stringify(value) ?? 'undefined';
  }

  function crc64(value) {
    return hostCrc64(value instanceof ArrayBufferClass ? value : json(value));
  }

  function crc_64_go_iso(value) {
    return hostCrc64(typeof value === 'string' || value instanceof ArrayBufferClass ? value : json(value));
  }

  function base64Encode(value) {
    return hostBase64(typeof value === 'string' ? value : bytesOf(value) ?? json(value));
  }

  function decoded(name, text) {
    if (typeof text !== 'string') {
      throw new TypeError(`couchbase.${name} requires a string`);
    }
    const bytes = hostUnbase64(text);
    if (bytes === undefined) {
      throw new EventingError('The text is not base64');
    }
    return bytes;
  }

  function floatArrays(bits, FloatArray) {
    const {BYTES_PER_ELEMENT} = FloatArray;
    const encode = `base64Float${bits}ArrayEncode`;
    const decode = `base64Float${bits}ArrayDecode`;
    couchbase[encode] = function (values) {
      if (!isArray(values) && !isView(values)) {
        throw new TypeError(`couchbase.${encode} requires an array of numbers`);
      }
      return hostBase64(new FloatArray(values).buffer);
    };
    couchbase[decode] = function (text) {
      const bytes = decoded(decode, text);
      if (bytes.byteLength % BYTES_PER_ELEMENT !== 0) {
        throw new EventingError(`The text does not hold ${bits}-bit numbers`);
      }
      return from(new FloatArray(bytes));
    };
  }

  install(globalThis, 'crc64', crc64);
  couchbase.crc64 = crc64;
  couchbase.crc_64_go_iso = crc_64_go_iso;
  couchbase.base64Encode = base64Encode;
  couchbase.base64Decode = (text) => host.utf8(decoded('base64Decode', text));
  floatArrays(32, Float32Array);
  floatArrays(64, Float64Array);
});
