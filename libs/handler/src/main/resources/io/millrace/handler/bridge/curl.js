// curl(method, binding, request): checks the request, has the host send it and turns the answer into JavaScript.
(function (host, kit) {
  'use strict';

  const {install, couchbase, bind, bindingOf, classes: {CurlError}} = kit;
  const {curl: hostCurl, urls} = host;
  const {stringify, parse} = JSON;
  const {keys, create, freeze, defineProperty} = Object;
  const {isInteger} = Number;
  const {apply} = Reflect;
  const {replace, split, indexOf: find, slice: cut} = String.prototype;
  const {indexOf} = Array.prototype;
  const ArrayBufferClass = ArrayBuffer;
  const encode = encodeURIComponent;
  const decode = decodeURIComponent;

  const NONE = kit.undefined;
  const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE'];
  const ENCODINGS = {FORM: 'application/x-www-form-urlencoded', JSON: 'application/json', TEXT: 'text/plain',
    BINARY: 'application/octet-stream'};
  const VERSIONS = ['6.6.2', '7.1.0', '7.2.0'];

  for (let i = 0; i < urls.length; i++) {
    const value = freeze(create(null));
    bind(value, {kind: 'url', name: urls[i]});
    defineProperty(globalThis, urls[i], {value});
  }

  /** Leaves as they are only letters, digits and -._~ (RFC 3986, unreserved characters). */
  function escape(text) {
    return apply(replace, encode(text), [/[!'()*]/g, (c) => `%${c === '!' ? '21' : c === "'" ? '27' : c === '(' ? '28' : c === ')' ? '29' : '2A'}`]);
  }

  function textOf(value) {
    return typeof value === 'object' && value !== null ? stringify(value) : `${value}`;
  }

  function form(object) {
    if (typeof object !== 'object' || object === null) {
      return textOf(object);
    }
    const names = keys(object);
    let text = '';
    for (let i = 0; i < names.length; i++) {
      text += `${i === 0 ? '' : '&'}${escape(names[i])}=${escape(textOf(object[names[i]]))}`;
    }
    return text;
  }

  function isJson(text) {
    try {
      parse(text);
      return true;
    } catch (malformed) {
      return false;
    }
  }

  function encodingOf(body, encoding) {
    if (encoding === NONE || encoding === null) {
      return typeof body === 'string' ? 'TEXT' : body instanceof ArrayBufferClass ? 'BINARY' : 'JSON';
    }
    if (typeof encoding !== 'string' || ENCODINGS[encoding] === NONE) {
      throw new CurlError("'encoding' should be one of FORM, JSON, TEXT and BINARY");
    }
    return encoding;
  }

  /** Returns a body and its type. */
  function bodyOf({body, encoding}) {
    if (body === NONE || body === null) {
      return [NONE, NONE];
    }
    const chosen = encodingOf(body, encoding);
    const type = ENCODINGS[chosen];
    if (body instanceof ArrayBufferClass) {
      return [body, type];
    }
    switch (chosen) {
      case 'FORM':
        return [form(body), type];
      case 'JSON':
        return [typeof body === 'string' && isJson(body) ? body : stringify(body) ?? 'null', type];
      default:
        return [textOf(body), type];
    }
  }

  function pairs(object, what) {
    const found = [];
    if (object === NONE || object === null) {
      return found;
    }
    if (typeof object !== 'object') {
      throw new CurlError(`'${what}' should be an object`);
    }
    const names = keys(object);
    for (let i = 0; i < names.length; i++) {
      found[i] = [names[i], textOf(object[names[i]])];
    }
    return found;
  }

  function timeoutOf({timeout}) {
    if (timeout === NONE) {
      return 0;
    }
    if (!isInteger(timeout) || timeout <= 0 || timeout > 0x7fffffff) {
      throw new CurlError("'timeout' should be a positive integer");
    }
    return timeout;
  }

  function versionOf({url_encode_version}) {
    if (url_encode_version === NONE) {
      return '';
    }
    if (apply(indexOf, VERSIONS, [url_encode_version]) < 0) {
      throw new CurlError("'url_encode_version' should be one of 6.6.2, 7.1.0 and 7.2.0");
    }
    return url_encode_version;
  }

  function pathOf({path}) {
    if (path === NONE || path === null) {
      return '';
    }
    if (typeof path !== 'string') {
      throw new CurlError("'path' should be a string");
    }
    return path;
  }

  function redirectOf({redirect}) {
    if (redirect !== NONE && typeof redirect !== 'boolean') {
      throw new CurlError("'redirect' should be a boolean");
    }
    return redirect !== false;
  }

  function parseForm(text) {
    const object = {};
    const fields = apply(split, text, ['&']);
    for (let i = 0; i < fields.length; i++) {
      const field = apply(replace, fields[i], [/\+/g, ' ']);
      const at = apply(find, field, ['=']);
      if (field !== '') {
        const name = decode(at < 0 ? field : apply(cut, field, [0, at]));
        defineProperty(object, name, {
          value: at < 0 ? '' : decode(apply(cut, field, [at + 1])),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
    }
    return object;
  }

  function unmarshal(kind, payload) {
    try {
      switch (kind) {
        case 'empty':
          return null;
        case 'json':
          return parse(payload);
        case 'form':
          return parseForm(payload);
        default:
          return payload;
      }
    } catch (malformed) {
      throw new CurlError(`Unable to parse the response body: ${malformed.message}`);
    }
  }

  function curl(...values) {
    if (values.length < 2) {
      throw new CurlError('curl requires at least 2 arguments');
    }
    const [method, binding, request = {}] = values;
    if (apply(indexOf, METHODS, [method]) < 0) {
      throw new CurlError('1st argument should be one of GET, POST, PUT, HEAD and DELETE');
    }
    const url = bindingOf(binding);
    if (url === NONE || url.kind !== 'url') {
      throw new CurlError('2nd argument should be a URL binding object');
    }
    if (typeof request !== 'object' || request === null) {
      throw new CurlError('3rd argument should be an object');
    }
    const [body, type] = bodyOf(request);
    const {params} = request;
    const isText = typeof params === 'string';
    const answer = hostCurl(method, url.name, pathOf(request), isText ? NONE : pairs(params, 'params'),
        isText ? params : NONE, pairs(request.headers, 'headers'), body, type, redirectOf(request),
        timeoutOf(request), versionOf(request));
    const [status, names, contents, kind, payload] = answer;
    const headers = {};
    for (let i = 0; i < names.length; i++) {
      headers[names[i]] = ` ${contents[i]}\r\n`;
    }
    return {status, headers, body: unmarshal(kind, payload)};
  }

  install(globalThis, 'curl', curl);
  couchbase.curl = curl;
});
