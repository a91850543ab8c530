// The advanced accessors: couchbase.get and its kin. Checks arguments and builds results; the host does the work.
(function (host, kit) {
  'use strict';

  const {couchbase, bindingOf, storable, readOnly, classes: {EventingError, TypeError}} = kit;
  const {access: hostAccess, bindingDetails: hostBindingDetails} = host;
  const {isArray} = Array;
  const {freeze} = Object;
  const {apply} = Reflect;
  const DateClass = Date;
  const {getTime} = Date.prototype;
  const {floor} = Math;
  const {isInteger} = Number;
  const {test} = RegExp.prototype;

  const NONE = kit.undefined;
  const DECIMAL = /^[0-9]{1,20}$/;

  // name, then number, words and mark of the error that a result carries
  const ERRORS = {
    key_not_found: [1, 'LCB_KEY_ENOENT', 'The document key does not exist on the server'],
    key_already_exists: [2, 'LCB_KEY_EEXISTS', 'The document key already exists in the server.'],
    cas_mismatch: [2, 'LCB_KEY_EEXISTS', 'The document key exists with a CAS value different than specified'],
    not_number: [0, 'LCB_DELTA_BADVAL', 'counter value cannot be parsed as a number'],
    field_not_found: [0, 'LCB_ERR_SUBDOC_PATH_NOT_FOUND', 'The document path does not exist'],
    field_already_exists: [0, 'LCB_ERR_SUBDOC_PATH_EXISTS', 'The document path already exists'],
  };

  const MUTATIONS = ['INSERT', 'UPSERT', 'REPLACE', 'REMOVE', 'ARRAY_APPEND', 'ARRAY_PREPEND', 'ARRAY_INSERT',
    'ARRAY_ADD_UNIQUE'];
  const REMOVE = 4;

  function bucketOf(name, values, least) {
    if (values.length < least) {
      throw new TypeError(`couchbase.${name} requires at least ${least} arguments`);
    }
    const bucket = bindingOf(values[0]);
    if (bucket === NONE || bucket.kind !== 'bucket') {
      throw new TypeError('1st argument should be bucket object');
    }
    return bucket;
  }

  function requireWritable(bucket, name) {
    if (hostBindingDetails(bucket.number)[3] !== 'rw') {
      readOnly(name === 'delete' ? 'Delete from' : 'Writing to', bucket.name);
    }
  }

  function idOf(meta) {
    if (typeof meta !== 'object' || meta === null) {
      throw new TypeError('2nd argument should be object');
    }
    const {id} = meta;
    if (id === NONE) {
      throw new TypeError('document key is not present in 2nd argument');
    }
    if (typeof id !== 'string' && typeof id !== 'number') {
      throw new TypeError('document key should be a string');
    }
    if (id === '') {
      throw new TypeError('document key cannot be empty');
    }
    return `${id}`;
  }

  /** Returns the scope and the collection that a binding leaves open. */
  function placeOf(bucket, meta) {
    // by index: code can replace the iterator of arrays, and this decides what it may reach
    const details = hostBindingDetails(bucket.number);
    const scope = details[1];
    const collection = details[2];
    if (scope !== '*' && collection !== '*') {
      return [NONE, NONE];
    }
    const {keyspace} = meta;
    if (typeof keyspace !== 'object' || keyspace === null) {
      throw new TypeError(
          'keyspace with scope_name and collection_name is not present in 2nd argument, ' +
          'which a binding to several collections needs');
    }
    const scopeName = keyspace.scope_name ?? (scope === '*' ? NONE : scope);
    const collectionName = keyspace.collection_name ?? (collection === '*' ? NONE : collection);
    if (typeof scopeName !== 'string' || typeof collectionName !== 'string') {
      throw new TypeError('keyspace in 2nd argument should have scope_name and collection_name as strings');
    }
    if (scope !== '*' && scopeName !== scope) {
      throw new EventingError(`The binding does not cover scope ${scopeName}`);
    }
    return [scopeName, collectionName];
  }

  function casOf(meta) {
    const {cas} = meta;
    if (cas === NONE) {
      return '0';
    }
    if (typeof cas !== 'string' || !apply(test, DECIMAL, [cas])) {
      throw new TypeError('cas should be a string');
    }
    return cas;
  }

  function expiryOf(meta) {
    const {expiry_date} = meta;
    if (expiry_date === NONE) {
      return -1;
    }
    if (!(expiry_date instanceof DateClass)) {
      throw new TypeError('expiry should be a date object');
    }
    const seconds = floor(apply(getTime, expiry_date, []) / 1000);
    if (!isInteger(seconds)) {
      throw new TypeError('Unable to compute epoch for the given Date instance');
    }
    return seconds < 0 ? 0 : seconds;
  }

  function optionsOf(options, number) {
    if (options === NONE || options === null) {
      return {};
    }
    if (typeof options !== 'object') {
      throw new TypeError(`${number} argument should be object`);
    }
    return options;
  }

  function failure(mark) {
    const [code, name, desc] = ERRORS[mark];
    return {error: {code, name, desc, [mark]: true}, success: false};
  }

  function metaOf(id, cas, expiry) {
    return expiry > 0 ? {id, cas, expiry_date: new DateClass(expiry * 1000)} : {id, cas};
  }

  function call(operation, bucket, meta, id, {cas = '0', expiry = -1, value, self = false, cached = false, paths = []}) {
    const place = placeOf(bucket, meta);
    return hostAccess(operation, bucket.number, place[0], place[1], id, value, cas, expiry, self, cached, paths);
  }

  couchbase.get = function (...values) {
    const bucket = bucketOf('get', values, 2);
    const meta = values[1];
    const id = idOf(meta);
    const {cache} = optionsOf(values[2], '3rd');
    const answer = call('GET', bucket, meta, id, {cached: cache === true});
    if (answer[0] !== 'ok') {
      return failure(answer[0]);
    }
    const [, cas, doc, expiry, binary, size] = answer;
    const about = metaOf(id, cas, expiry);
    about.datatype = binary ? 'binary' : 'json';
    return {doc, meta: about, res_size: size, success: true};
  };

  function store(name, operation, usesCas) {
    couchbase[name] = function (...values) {
      const bucket = bucketOf(name, values, 3);
      const meta = values[1];
      const id = idOf(meta);
      requireWritable(bucket, name);
      const cas = usesCas ? casOf(meta) : '0';
      const expiry = expiryOf(meta);
      const {self_recursion} = optionsOf(values[3], '4th');
      const answer = call(operation, bucket, meta, id, {cas, expiry, value: storable(values[2]), self: self_recursion === true});
      return answer[0] === 'ok' ? {meta: metaOf(id, answer[1], expiry), success: true} : failure(answer[0]);
    };
  }

  store('insert', 'INSERT', false);
  store('upsert', 'UPSERT', false);
  store('replace', 'REPLACE', true);

  couchbase.delete = function (...values) {
    const bucket = bucketOf('delete', values, 2);
    const meta = values[1];
    const id = idOf(meta);
    requireWritable(bucket, 'delete');
    const {self_recursion} = optionsOf(values[2], '3rd');
    const answer = call('DELETE', bucket, meta, id, {cas: casOf(meta), self: self_recursion === true});
    return answer[0] === 'ok' ? {meta: metaOf(id, answer[1], 0), success: true} : failure(answer[0]);
  };

  couchbase.touch = function (...values) {
    const bucket = bucketOf('touch', values, 2);
    const meta = values[1];
    const id = idOf(meta);
    requireWritable(bucket, 'touch');
    const expiry = expiryOf(meta);
    const {self_recursion} = optionsOf(values[2], '3rd');
    const answer = call('TOUCH', bucket, meta, id, {expiry, self: self_recursion === true});
    return answer[0] === 'ok' ? {meta: metaOf(id, answer[1], 0), success: true} : failure(answer[0]);
  };

  function counter(name, operation) {
    couchbase[name] = function (...values) {
      const bucket = bucketOf(name, values, 2);
      const meta = values[1];
      const id = idOf(meta);
      requireWritable(bucket, name);
      const {self_recursion} = optionsOf(values[2], '3rd');
      const answer = call(operation, bucket, meta, id, {cas: casOf(meta), expiry: expiryOf(meta), self: self_recursion === true});
      return answer[0] === 'ok'
        ? {doc: {count: answer[2]}, meta: metaOf(id, answer[1], 0), success: true}
        : failure(answer[0]);
    };
  }

  counter('increment', 'INCREMENT');
  counter('decrement', 'DECREMENT');

  // ---- paths inside documents

  function specOf(type, path, value, options) {
    return {spec_type: type, path, value, options};
  }

  function pathsOf(specs, nameOf) {
    if (!isArray(specs)) {
      throw new TypeError('3rd argument should be an array of specs');
    }
    const paths = [];
    for (let i = 0; i < specs.length; i++) {
      const spec = specs[i];
      if (typeof spec !== 'object' || spec === null || typeof spec.path !== 'string') {
        throw new TypeError('3rd argument should be an array of specs');
      }
      const name = nameOf(spec.spec_type);
      if (name === NONE) {
        throw new TypeError(`spec_type ${spec.spec_type} is not known`);
      }
      const {create_path, xattrs} = optionsOf(spec.options, 'options of a spec: the');
      if (xattrs === true && name !== 'GET') {
        requireUserAttribute(spec.path);
      }
      const hasValue = name !== 'GET' && name !== 'REMOVE';
      // as in Couchbase, the others ignore it: what they change must exist
      const creates = create_path === true && name !== 'REPLACE' && name !== 'REMOVE' && name !== 'ARRAY_INSERT';
      paths[i] = [name, spec.path, hasValue, hasValue ? storable(spec.value) : NONE, creates, xattrs === true];
    }
    return paths;
  }

  function requireUserAttribute(path) {
    let end = 0;
    while (end < path.length && path[end] !== '.' && path[end] !== '[') {
      end++;
    }
    if (path[0] === '_' || end > 15) {
      throw new EventingError('An extended attribute has a name of less than 16 characters that does not start with _');
    }
  }

  couchbase.MutateInSpec = freeze({
    create: specOf,
    insert: (path, value, options) => specOf(1, path, value, options),
    upsert: (path, value, options) => specOf(2, path, value, options),
    replace: (path, value, options) => specOf(3, path, value, options),
    remove: (path, options) => specOf(REMOVE, path, NONE, options),
    arrayAppend: (path, value, options) => specOf(5, path, value, options),
    arrayPrepend: (path, value, options) => specOf(6, path, value, options),
    arrayInsert: (path, value, options) => specOf(7, path, value, options),
    arrayAddUnique: (path, value, options) => specOf(8, path, value, options),
  });

  couchbase.LookupInSpec = freeze({
    create: (type, path, options) => ({spec_type: type, path, options}),
    get: (path, options) => ({spec_type: 1, path, options}),
  });

  couchbase.mutateIn = function (...values) {
    const bucket = bucketOf('mutateIn', values, 3);
    const meta = values[1];
    const id = idOf(meta);
    requireWritable(bucket, 'mutateIn');
    const paths = pathsOf(values[2], (type) => MUTATIONS[type - 1]);
    const {self_recursion} = optionsOf(values[3], '4th');
    const answer = call('MUTATE_IN', bucket, meta, id,
        {cas: casOf(meta), expiry: expiryOf(meta), self: self_recursion === true, paths});
    return answer[0] === 'ok' ? {meta: metaOf(id, answer[1], 0), success: true} : failure(answer[0]);
  };

  couchbase.lookupIn = function (...values) {
    const bucket = bucketOf('lookupIn', values, 3);
    const meta = values[1];
    const id = idOf(meta);
    const paths = pathsOf(values[2], (type) => (type === 1 ? 'GET' : NONE));
    const answer = call('LOOKUP_IN', bucket, meta, id, {paths});
    if (answer[0] !== 'ok') {
      return failure(answer[0]);
    }
    const doc = [];
    for (let i = 0; i < paths.length; i++) {
      const [success, value] = answer[2][i];
      doc[i] = success ? {value, success} : {success};
    }
    return {doc, meta: {id, cas: answer[1], datatype: 'json'}, success: true};
  };

  couchbase.bindingDetails = function (...values) {
    const bucket = bucketOf('bindingDetails', values, 1);
    const details = hostBindingDetails(bucket.number);
    const name = details[0];
    const scope = details[1];
    const collection = details[2];
    const access = details[3];
    const place = values[1] === NONE ? [NONE, NONE] : placeOf(bucket, values[1]);
    return {
      keyspace: {
        bucket: name,
        scope: place[0] ?? scope,
        collection: place[1] ?? collection,
        bucket_name: name,
        scope_name: place[0] ?? scope,
        collection_name: place[1] ?? collection,
      },
      access,
    };
  };
});
