// sql(binding, statement, parameters): checks the arguments, has the host run the statement and makes its rows objects.
(function (host, kit) {
  'use strict';

  const {install, encode, bind, bindingOf, classes: {SqlError}} = kit;
  const {sql: hostSql, databases} = host;
  const {keys, create, freeze, defineProperty} = Object;
  const {isArray} = Array;
  const {isSafeInteger, isFinite} = Number;
  const {apply} = Reflect;
  const {getTime} = Date.prototype;
  const {isView} = ArrayBuffer;
  const {slice} = ArrayBuffer.prototype;
  const {toString: bigIntText} = BigInt.prototype;
  const ArrayBufferClass = ArrayBuffer;
  const BigIntFunction = BigInt;
  const DateClass = Date;

  const NONE = kit.undefined;

  for (let i = 0; i < databases.length; i++) {
    const value = freeze(create(null));
    bind(value, {kind: 'database', name: databases[i]});
    defineProperty(globalThis, databases[i], {value});
  }

  function refuse(sqlState, message) {
    const error = new SqlError(message);
    install(error, 'sqlState', sqlState);
    throw error;
  }

  function typed(value, name) {
    switch (typeof value) {
      case 'string':
        return ['text', value];
      case 'boolean':
        return ['boolean', value];
      case 'number':
        if (!isFinite(value)) {
          refuse('22003', `The parameter ${name} is ${value}, which is not a number of SQL`);
        }
        return [isSafeInteger(value) ? 'integer' : 'number', value];
      case 'bigint':
        return ['bigint', apply(bigIntText, value, [])];
      case 'object':
        break;
      default:
        refuse('22023', `The parameter ${name} is ${typeof value}; pass null for NULL`);
    }
    if (value === null) {
      return ['null', NONE];
    }
    if (value instanceof DateClass) {
      const time = apply(getTime, value, []);
      return isFinite(time) ? ['date', time] : refuse('22007', `The parameter ${name} is an invalid Date`);
    }
    if (value instanceof ArrayBufferClass) {
      return ['bytes', value];
    }
    if (isView(value)) {
      return ['bytes', apply(slice, value.buffer, [value.byteOffset, value.byteOffset + value.byteLength])];
    }
    return ['json', encode(value)];
  }

  function parametersOf(given) {
    const list = [];
    if (given === NONE || given === null) {
      return list;
    }
    if (typeof given !== 'object') {
      refuse('07001', 'The parameters should be an array, or an object of values by name');
    }
    const positional = isArray(given);
    const names = positional ? given : keys(given);
    for (let i = 0; i < names.length; i++) {
      const [type, value] = positional ? typed(given[i], `number ${i + 1}`) : typed(given[names[i]], `:${names[i]}`);
      list[list.length] = positional ? null : names[i];
      list[list.length] = type;
      list[list.length] = value;
    }
    return list;
  }

  function cell(cells, at) {
    const value = cells[at + 1];
    switch (cells[at]) {
      case 'null':
        return null;
      case 'date':
        return new DateClass(value);
      case 'bigint':
        return BigIntFunction(value);
      case 'array': {
        const list = [];
        for (let i = 0; i < value.length; i += 2) {
          list[list.length] = cell(value, i);
        }
        return list;
      }
      default:
        return value;
    }
  }

  function sql(binding, statement, parameters) {
    const database = bindingOf(binding);
    if (database === NONE || database.kind !== 'database') {
      refuse('08003', '1st argument of sql should be a database binding of the function');
    }
    if (typeof statement !== 'string') {
      refuse('42601', '2nd argument of sql should be a string with a statement');
    }
    const answer = hostSql(database.name, statement, parametersOf(parameters));
    if (typeof answer === 'number') {
      return answer;
    }
    const [names, count, cells] = answer;
    const rows = [];
    let at = 0;
    for (let i = 0; i < count; i++) {
      const row = {};
      for (let j = 0; j < names.length; j++, at += 2) {
        defineProperty(row, names[j],
            {value: cell(cells, at), writable: true, enumerable: true, configurable: true});
      }
      rows[i] = row;
    }
    return rows;
  }

  install(globalThis, 'sql', sql);
});
