// N1QL and N1qlQuery, the calls that stand for statements, and their siblings of other services. Runs after
// bootstrap.js, before the user's code.
(function (host, kit) {
  'use strict';

  const {install, couchbase, encode, classes, undefined: NONE} = kit;
  const {open: hostOpen, next: hostNext, read: hostRead, close: hostClose, searchFailed} = host;
  const {keys, defineProperty} = Object;
  const {isArray} = Array;
  const {apply} = Reflect;
  const {slice} = String.prototype;
  const {stringify} = JSON;
  const {push, pop} = Array.prototype;
  const {iterator} = Symbol;

  const MAX_CONTEXT_ID_CHARS = host.mostContextIdChars;
  const ERRORS = {QUERY: classes.N1QLError, ANALYTICS: classes.AnalyticsError};

  // ---- requests

  function valueText(value, name, ErrorClass) {
    switch (typeof value) {
      case 'undefined':
      case 'function':
      case 'symbol':
        throw new ErrorClass(`Parameter ${name} is of type ${typeof value}, which N1QL does not have`);
      default:
        return encode(value) ?? 'null';
    }
  }

  function positionalText(values, ErrorClass) {
    let text = '';
    for (let i = 0; i < values.length; i++) {
      text += (i === 0 ? '' : ',') + valueText(values[i], `$${i + 1}`, ErrorClass);
    }
    return `[${text}]`;
  }

  /** The names may have their sigil. */
  function namedText(values, ErrorClass) {
    const names = keys(values);
    let text = '';
    for (let i = 0; i < names.length; i++) {
      const name = names[i][0] === '$' || names[i][0] === ':' ? apply(slice, names[i], [1]) : names[i];
      text += (i === 0 ? '' : ',') + `${stringify(name)}:${valueText(values[names[i]], names[i], ErrorClass)}`;
    }
    return `{${text}}`;
  }

  function option(options, name, type, otherwise, ErrorClass) {
    const value = options[name];
    if (value === NONE) {
      return otherwise;
    }
    if (typeof value !== type) {
      throw new ErrorClass(`Option ${name} of a query must be a ${type}`);
    }
    return value;
  }

  function request(service, statement, parameters, options) {
    const ErrorClass = ERRORS[service];
    if (typeof statement !== 'string') {
      throw new ErrorClass('A query takes its statement as a string');
    }
    const given = parameters === NONE || parameters === null ? {} : parameters;
    if (typeof given !== 'object') {
      throw new ErrorClass('The parameters of a query must be an array or an object');
    }
    const chosen = options === NONE || options === null ? {} : options;
    if (typeof chosen !== 'object') {
      throw new ErrorClass('The options of a query must be an object');
    }
    const consistency = option(chosen, 'consistency', 'string', '', ErrorClass);
    if (consistency !== '' && consistency !== 'none' && consistency !== 'request') {
      throw new ErrorClass("Option consistency of a query must be 'none' or 'request'");
    }
    // checked but not used: each query sees all earlier writes, and plans are cached anyway
    option(chosen, 'isPrepared', 'boolean', false, ErrorClass);
    const contextId = option(chosen, 'clientContextId', 'string', '', ErrorClass);
    if (contextId.length > MAX_CONTEXT_ID_CHARS) {
      throw new ErrorClass(`Option clientContextId of a query has at most ${MAX_CONTEXT_ID_CHARS} characters`);
    }
    return hostOpen(
        service,
        statement,
        isArray(given) ? '{}' : namedText(given, ErrorClass),
        isArray(given) ? positionalText(given, ErrorClass) : '[]',
        contextId);
  }

  // ---- results: all loops over one read on where the last one stopped

  class Rows {
    #handle;
    #loops = 0;

    constructor(handle) {
      this.#handle = handle;
    }

    [iterator]() {
      let reading = true;
      hostRead(this.#handle, true);
      this.#loops++;
      const leave = () => {
        if (reading) {
          reading = false;
          this.#loops--;
          if (this.#loops === 0) {
            hostRead(this.#handle, false);
          }
        }
      };
      return {
        next: () => {
          const value = reading ? hostNext(this.#handle) : NONE;
          if (value === NONE) {
            leave();
            return {done: true, value: NONE};
          }
          return {done: false, value};
        },
        return: (value) => {
          leave();
          return {done: true, value};
        },
      };
    }

    close() {
      hostClose(this.#handle);
    }
  }

  function runner(service) {
    return function (statement, parameters, options) {
      return new Rows(request(service, statement, parameters, options));
    };
  }

  // ---- the query object of the first design: runs again for each loop, not before the first one. Its option prepare is
  // taken, and means nothing: see request()

  class Bound {
    constructor(text, values) {
      this.text = text;
      this.values = values;
    }
  }

  class N1qlQuery {
    #values;
    #options;
    // what runs, innermost last
    #runs = [];

    constructor(statement, options) {
      this.#options = options === NONE || options === null ? {} : options;
      if (typeof this.#options !== 'object') {
        throw new classes.N1QLError('The options of a query must be an object');
      }
      const parameters = this.#options.namedParams ?? this.#options.posParams;
      if (statement instanceof Bound) {
        this.query = statement.text;
        this.#values = parameters === NONE ? statement.values : () => ({...statement.values(), ...parameters});
      } else if (statement instanceof N1qlQuery) {
        this.query = statement.query;
        this.#values = parameters === NONE ? statement.#values : () => parameters;
      } else if (typeof statement === 'string') {
        this.query = statement;
        this.#values = () => parameters ?? {};
      } else {
        throw new classes.N1QLError('N1qlQuery takes its statement as a string');
      }
    }

    #begin() {
      const handle = request('QUERY', this.query, this.#values(), this.#options);
      const run = {handle, over: false, result: NONE};
      apply(push, this.#runs, [run]);
      return run;
    }

    #end(run) {
      if (!run.over) {
        run.over = true;
        hostClose(run.handle);
      }
      const runs = this.#runs;
      for (let i = runs.length - 1; i >= 0; i--) {
        if (runs[i] === run) {
          for (let j = i + 1; j < runs.length; j++) {
            runs[j - 1] = runs[j];
          }
          apply(pop, runs, []);
          return;
        }
      }
    }

    execQuery() {
      const run = this.#begin();
      const rows = [];
      try {
        for (let row = hostNext(run.handle); row !== NONE; row = hostNext(run.handle)) {
          defineProperty(rows, rows.length, {value: row, writable: true, enumerable: true, configurable: true});
        }
      } finally {
        this.#end(run);
      }
      return rows;
    }

    iter(callback) {
      if (typeof callback !== 'function') {
        throw new classes.N1QLError('iter takes a function');
      }
      const run = this.#begin();
      try {
        while (!run.over) {
          const row = hostNext(run.handle);
          if (row === NONE) {
            break;
          }
          callback(row);
        }
      } finally {
        this.#end(run);
      }
      return run.result;
    }

    /** Lets the innermost iteration end after the row that it is at; what is given here, iter returns. */
    stopIter(result) {
      const run = this.#runs[this.#runs.length - 1];
      if (run !== NONE) {
        run.result = result === NONE ? 0 : result;
        run.over = true;
        hostClose(run.handle);
      }
      return result;
    }

    [iterator]() {
      const run = this.#begin();
      return {
        next: () => {
          const value = run.over ? NONE : hostNext(run.handle);
          if (value === NONE) {
            this.#end(run);
            return {done: true, value: NONE};
          }
          return {done: false, value};
        },
        return: (value) => {
          this.#end(run);
          return {done: true, value};
        },
      };
    }
  }

  const n1ql = runner('QUERY');
  install(globalThis, 'N1QL', n1ql);
  install(globalThis, 'N1qlQuery', N1qlQuery);
  couchbase.n1qlQuery = n1ql;
  couchbase.analyticsQuery = runner('ANALYTICS');
  install(globalThis, 'ANALYTICS', couchbase.analyticsQuery);
  couchbase.searchQuery = function () {
    searchFailed();
    throw new classes.SearchError('There is no search service here');
  };
  // what statements become
  install(couchbase, 'n1qlStatement', (text, values) => new N1qlQuery(new Bound(text, values)));
});
