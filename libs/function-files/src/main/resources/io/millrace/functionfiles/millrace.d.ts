// The language of Millrace's functions, for editors. Made by ./millrace fn; the bindings of the function stand at the end.

/** The functions of the code that are called, and with what. */
interface Handlers {
  /** For each change of a document. */
  OnUpdate(doc: any, meta: EventMeta, xattrs: { readonly [name: string]: any }, options: UpdateOptions): void;
  /** For each deletion of a document. */
  OnDelete(meta: EventMeta, options: DeleteOptions): void;
  /** Once per deployment or resume, before any change. */
  OnDeploy(action: DeployAction): void;
  /** For each HTTP request. */
  OnRequest(request: FunctionRequest): FunctionResponse | void;
  /** For each event of the event streams of a category. */
  OnEvent(event: any, meta: StreamEventMeta): void;
  /** For each message of a topic. */
  OnMessage(message: any, meta: MessageMeta): void;
}

/** The metadata of the document that changed. */
interface EventMeta {
  /** The id of the document. */
  readonly id: string;
  /** The same as id, with the setting language_compatibility 5.0.0. */
  readonly docid?: string;
  /** The version of the document. */
  readonly cas: string;
  /** When the document expires, in seconds since 1970; 0 for never. */
  readonly expiration: number;
  /** The same as a Date; absent for never. */
  readonly expiry_date?: Date;
  /** The same as expiration, with the setting language_compatibility 5.0.0. */
  readonly expiry?: number;
  /** The position of the change in the feed. */
  readonly seq: number;
  /** The vbucket of the document. */
  readonly vb: number;
  /** The flags of the SDK that wrote the document. */
  readonly flags: number;
  readonly datatype: 'json' | 'binary';
  readonly keyspace: { readonly bucket_name: string; readonly scope_name: string; readonly collection_name: string };
  readonly [other: string]: any;
}

/** The second argument of OnEvent: what is known about the event; the first one is its data. */
interface StreamEventMeta {
  /** category-id */
  readonly stream: string;
  readonly category: string;
  readonly id: string;
  /** Its place in the stream, 0 for the first. */
  readonly index: number;
  /** Its place among the events of all streams; events that were appended together share it. */
  readonly seq: number;
  readonly type: string;
  readonly time: Date;
  /** What was stored with it. */
  readonly meta?: any;
  readonly correlationId?: string;
  readonly causationId?: string;
}

/** The second argument of OnMessage: what is known about the message. */
interface MessageMeta {
  readonly topic: string;
  /** The same for duplicates of a message. */
  readonly id: string;
  readonly key?: string;
  readonly headers: { readonly [name: string]: string };
  /** The id of its entry in a stream of Redis, or partition and offset in Kafka; messages of a channel have none. */
  readonly entry?: string;
  /** In Kafka. */
  readonly partition?: number;
  /** In Kafka. */
  readonly offset?: number;
  readonly time: Date;
}

/** The fourth argument of OnUpdate. */
interface UpdateOptions {
  /** The document before, with the setting before_image. */
  readonly old?: any;
}

interface DeleteOptions {
  /** Whether the document expired. */
  readonly expired: boolean;
  /** The document before, with the setting before_image. */
  readonly old?: any;
}

/** The argument of OnDeploy. */
interface DeployAction {
  readonly reason: 'Deploy' | 'Resume';
  /** For how long the function was paused, in milliseconds. */
  readonly delay: number;
}

/** The argument of OnRequest. */
interface FunctionRequest {
  /** A HEAD is a GET. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** What follows the name of the function, as it was sent. */
  readonly path: string;
  /** The parts of the path, decoded. */
  readonly segments: string[];
  readonly query: { readonly [name: string]: string | string[] };
  /** Names are in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The name of the caller, null without a login. */
  readonly user: string | null;
  /** A value for JSON, a string for text, an ArrayBuffer for everything else. */
  readonly body?: any;
}

/** What OnRequest returns; nothing is 204. */
interface FunctionResponse {
  status?: number;
  headers?: { [name: string]: string | number | boolean | string[] };
  /** A string is text, a buffer bytes, everything else JSON. */
  body?: any;
}

/** A bucket binding that may be read. */
interface ReadableBucket {
  readonly [id: string]: any;
}

/** A bucket binding that may be read and written: bucket[id], bucket[id] = document, delete bucket[id]. */
interface WritableBucket {
  [id: string]: any;
}

/** A URL binding. */
interface UrlBinding {
  readonly __url: never;
}

/** A database binding. */
interface DatabaseBinding {
  readonly __database: never;
}

/** A topic binding. */
interface TopicBinding {
  readonly __topic: never;
}

interface DocumentName {
  id: string;
  cas?: string;
  expiry_date?: Date;
  /** For bindings of several scopes or collections. */
  keyspace?: { scope_name: string; collection_name: string };
}

interface DocumentMeta {
  id: string;
  cas: string;
  expiry_date?: Date;
  datatype?: 'json' | 'binary';
}

interface AccessError {
  code: number;
  name: string;
  desc: string;
  key_not_found?: true;
  key_already_exists?: true;
  cas_mismatch?: true;
  [mark: string]: any;
}

/** success says whether the operation was done; error why not. */
interface AccessResult {
  success: boolean;
  meta?: DocumentMeta;
  error?: AccessError;
}

interface GetResult extends AccessResult {
  doc?: any;
  res_size?: number;
}

interface CountResult extends AccessResult {
  doc?: { count: number };
}

interface LookupResult extends AccessResult {
  doc?: { success: boolean; value?: any }[];
}

interface WriteOptions {
  /** Whether the function handles this write itself. */
  self_recursion?: boolean;
}

interface PathOptions {
  create_path?: boolean;
  xattrs?: boolean;
}

interface PathSpec {
  spec_type: number;
  path: string;
  value?: any;
  options?: PathOptions;
}

interface QueryOptions {
  consistency?: 'none' | 'request';
  isPrepared?: boolean;
  clientContextId?: string;
}

/** The rows of a statement, read as they are needed. */
interface QueryRows extends Iterable<any> {
  close(): void;
}

interface CurlRequest {
  path?: string;
  params?: string | { [name: string]: any };
  headers?: { [name: string]: string };
  body?: any;
  encoding?: 'FORM' | 'JSON' | 'TEXT' | 'BINARY';
  redirect?: boolean;
  /** Seconds. */
  timeout?: number;
  url_encode_version?: '6.6.2' | '7.1.0' | '7.2.0';
}

interface CurlResponse {
  status: number;
  headers: { [name: string]: string };
  body: any;
}

type SqlValue = null | boolean | number | bigint | string | Date | ArrayBuffer | ArrayBufferView | object;

interface SqlRow {
  [column: string]: any;
}

type CurlMethod = 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';

/** Writes a line to the log of the function. */
declare function log(...values: any[]): void;

declare const console: {
  log(...values: any[]): void;
  info(...values: any[]): void;
  error(...values: any[]): void;
  warn(...values: any[]): void;
  debug(...values: any[]): void;
  trace(...values: any[]): void;
};

/**
 * Has a function of this code called at a time, in place of the timer with the same function and reference. Returns the
 * reference.
 */
declare function createTimer(
  callback: (context: any, ...more: any[]) => void,
  due: Date,
  reference: string | null,
  context?: any,
  ...more: any[]
): string;

/** Removes a timer; returns false if there is none. */
declare function cancelTimer(callback: (context: any, ...more: any[]) => void, reference: string): boolean;

/** Makes an HTTP request to a URL binding. */
declare function curl(method: CurlMethod, binding: UrlBinding, request?: CurlRequest): CurlResponse;

/**
 * Runs one statement in a database, with `?` for the values of an array or `:name` for those of an object. Returns the rows, or
 * how many rows were changed.
 */
declare function sql<Result extends SqlRow[] | number = any>(
  binding: DatabaseBinding,
  statement: string,
  parameters?: SqlValue[] | { [name: string]: SqlValue },
): Result;

interface PublishOptions {
  key?: string;
  headers?: { [name: string]: string };
}

/**
 * Sends a message to a topic: a string as text, an ArrayBuffer or a view as bytes, anything else as JSON. The invocation fails if
 * a stream never takes it; a channel gets it once.
 */
declare function publish(
  binding: TopicBinding,
  message: string | number | boolean | null | ArrayBuffer | ArrayBufferView | object,
  options?: PublishOptions,
): void;

/** Runs a statement. */
declare function N1QL(statement: string, parameters?: any[] | { [name: string]: any }, options?: QueryOptions): QueryRows;

/** Runs a statement with the same engine; errors are counted apart. */
declare function ANALYTICS(statement: string, parameters?: any[] | { [name: string]: any }, options?: QueryOptions): QueryRows;

declare class N1qlQuery implements Iterable<any> {
  constructor(statement: string | N1qlQuery, options?: QueryOptions & { namedParams?: object; posParams?: any[]; prepare?: boolean });
  query: string;
  execQuery(): any[];
  iter(callback: (row: any) => void): any;
  stopIter(result?: any): any;
  [Symbol.iterator](): Iterator<any>;
}

declare function crc64(value: any): string;

declare class KVError extends Error {}
declare class EventingError extends Error {}
declare class CurlError extends Error {}
declare class SqlError extends Error {
  /** Five characters that name the reason, such as 23505 for a duplicate key. */
  readonly sqlState: string;
}
declare class N1QLError extends Error {}

declare const couchbase: {
  get(bucket: ReadableBucket, meta: DocumentName, options?: { cache?: boolean }): GetResult;
  insert(bucket: WritableBucket, meta: DocumentName, document: any, options?: WriteOptions): AccessResult;
  upsert(bucket: WritableBucket, meta: DocumentName, document: any, options?: WriteOptions): AccessResult;
  replace(bucket: WritableBucket, meta: DocumentName, document: any, options?: WriteOptions): AccessResult;
  delete(bucket: WritableBucket, meta: DocumentName, options?: WriteOptions): AccessResult;
  touch(bucket: WritableBucket, meta: DocumentName, options?: WriteOptions): AccessResult;
  /** Adds 1 to the member count of a document. */
  increment(bucket: WritableBucket, meta: DocumentName, options?: WriteOptions): CountResult;
  /** Subtracts 1 from the member count of a document. */
  decrement(bucket: WritableBucket, meta: DocumentName, options?: WriteOptions): CountResult;
  mutateIn(bucket: WritableBucket, meta: DocumentName, specs: PathSpec[], options?: WriteOptions): AccessResult;
  lookupIn(bucket: ReadableBucket, meta: DocumentName, specs: PathSpec[]): LookupResult;
  readonly MutateInSpec: {
    create(type: number, path: string, value?: any, options?: PathOptions): PathSpec;
    insert(path: string, value: any, options?: PathOptions): PathSpec;
    upsert(path: string, value: any, options?: PathOptions): PathSpec;
    replace(path: string, value: any, options?: PathOptions): PathSpec;
    remove(path: string, options?: PathOptions): PathSpec;
    arrayAppend(path: string, value: any, options?: PathOptions): PathSpec;
    arrayPrepend(path: string, value: any, options?: PathOptions): PathSpec;
    arrayInsert(path: string, value: any, options?: PathOptions): PathSpec;
    arrayAddUnique(path: string, value: any, options?: PathOptions): PathSpec;
  };
  readonly LookupInSpec: {
    create(type: number, path: string, options?: PathOptions): PathSpec;
    get(path: string, options?: PathOptions): PathSpec;
  };
  bindingDetails(bucket: ReadableBucket, meta?: { keyspace?: object }): any;
  n1qlQuery(statement: string, parameters?: any[] | { [name: string]: any }, options?: QueryOptions): QueryRows;
  analyticsQuery(statement: string, parameters?: any[] | { [name: string]: any }, options?: QueryOptions): QueryRows;
  /** There is no search service: always throws. */
  searchQuery(...values: any[]): never;
  curl: typeof curl;
  log: typeof log;
  createTimer: typeof createTimer;
  cancelTimer: typeof cancelTimer;
  crc64: typeof crc64;
  crc_64_go_iso(value: any): string;
  base64Encode(value: any): string;
  base64Decode(text: string): string;
  base64Float32ArrayEncode(values: number[]): string;
  base64Float32ArrayDecode(text: string): number[];
  base64Float64ArrayEncode(values: number[]): string;
  base64Float64ArrayDecode(text: string): number[];
};
