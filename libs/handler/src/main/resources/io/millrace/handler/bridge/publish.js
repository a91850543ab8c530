// publish(binding, message, options): checks the arguments and hands the message to the host.
(function (host, kit) {
  'use strict';

  const {install, encode, bind, bindingOf, classes: {EventingError}} = kit;
  const {publish: hostPublish, topics} = host;
  const {keys, create, freeze, defineProperty} = Object;
  const {apply} = Reflect;
  const {test} = RegExp.prototype;
  const {isView} = ArrayBuffer;
  const {slice} = ArrayBuffer.prototype;
  const ArrayBufferClass = ArrayBuffer;

  const NONE = kit.undefined;
  const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
  const MOST_HEADERS = 32;

  for (let i = 0; i < topics.length; i++) {
    const value = freeze(create(null));
    bind(value, {kind: 'topic', name: topics[i]});
    defineProperty(globalThis, topics[i], {value});
  }

  function contentOf(message) {
    switch (typeof message) {
      case 'string':
        return ['TEXT', message];
      case 'object':
        break;
      case 'number':
      case 'boolean':
        return ['JSON', encode(message)];
      default:
        throw new EventingError(`2nd argument of publish should be the message, but it is ${typeof message}`);
    }
    if (message instanceof ArrayBufferClass) {
      return ['BYTES', message];
    }
    if (isView(message)) {
      return ['BYTES', apply(slice, message.buffer, [message.byteOffset, message.byteOffset + message.byteLength])];
    }
    return ['JSON', encode(message)];
  }

  function keyOf({key}) {
    if (key === NONE || key === null) {
      return null;
    }
    if (typeof key !== 'string' || key === '') {
      throw new EventingError("'key' of publish should be a string that is not empty");
    }
    return key;
  }

  function headersOf({headers}) {
    const list = [];
    if (headers === NONE || headers === null) {
      return list;
    }
    if (typeof headers !== 'object') {
      throw new EventingError("'headers' of publish should be an object of strings");
    }
    const names = keys(headers);
    if (names.length > MOST_HEADERS) {
      throw new EventingError(`'headers' of publish has ${names.length} headers; at most ${MOST_HEADERS} are allowed`);
    }
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const value = headers[name];
      if (!apply(test, NAME, [name])) {
        throw new EventingError(
            `The header name '${name}' should have 1 to 64 characters: letters, digits, dots, hyphens and underscores`);
      }
      if (typeof value !== 'string') {
        throw new EventingError(`The header '${name}' should be a string, but it is ${typeof value}`);
      }
      list[list.length] = name;
      list[list.length] = value;
    }
    return list;
  }

  function publish(binding, message, options = {}) {
    const topic = bindingOf(binding);
    if (topic === NONE || topic.kind !== 'topic') {
      throw new EventingError('1st argument of publish should be a topic binding of the function');
    }
    if (typeof options !== 'object' || options === null) {
      throw new EventingError('3rd argument of publish should be an object with key and headers');
    }
    const [type, content] = contentOf(message);
    hostPublish(topic.name, type, content, keyOf(options), headersOf(options));
  }

  install(globalThis, 'publish', publish);
});
