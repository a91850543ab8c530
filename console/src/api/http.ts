import { text } from '../text';

/** The gateway's root: the console is served one directory below it, its scripts two. */
export const ROOT = new URL('../../', import.meta.url);

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

export interface Call {
  method: Method;
  /** Relative to the gateway, without a leading slash. */
  path: string;
  json?: unknown;
  body?: string;
  type?: string;
  /** A body that is sent as it is. */
  file?: File;
  headers?: Record<string, string>;
  /** The body of the answer stays text, so that numbers keep their spelling. */
  raw?: boolean;
  /** What a copied command has in the place of a secret. */
  copied?: Pick<Call, 'json' | 'body'>;
}

export interface Answer<T> {
  body: T;
  headers: Headers;
}

/** What the server refused, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly action: string,
    readonly body: unknown,
    readonly call: Call,
  ) {
    super(detail);
  }
}

type LoginListener = (expired: boolean) => void;

const loginListeners = new Set<LoginListener>();

/** Tells a listener whether the server wants a login: each answer says it. */
export function onLogin(listener: LoginListener): () => void {
  loginListeners.add(listener);
  return () => loginListeners.delete(listener);
}

export function sayLogin(expired: boolean): void {
  loginListeners.forEach((listener) => listener(expired));
}

export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((all, part, i) => all + encodeURIComponent(values[i - 1] ?? '') + part);
}

export function search(parameters: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') {
      query.set(name, String(value));
    }
  }
  const shown = query.toString();
  return shown === '' ? '' : `?${shown}`;
}

export async function send<T>(call: Call, signal?: AbortSignal): Promise<Answer<T>> {
  const headers: Record<string, string> = { Accept: 'application/json, text/plain;q=0.9, */*;q=0.8', ...call.headers };
  let body: string | File | undefined = call.file ?? call.body;
  if (call.json !== undefined) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(call.json);
  } else if (call.type !== undefined) {
    headers['Content-Type'] = call.type;
  }
  let response: Response;
  try {
    response = await fetch(new URL(call.path, ROOT), {
      method: call.method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (failure) {
    if (signal?.aborted) {
      throw failure;
    }
    throw new ApiError(0, 'unreachable', text.errors.unreachable, '', null, call);
  }
  const answered = await read(response, call.raw === true && response.ok);
  if (!response.ok) {
    if (response.status === 401) {
      sayLogin(true);
    }
    throw refusal(response.status, answered, call);
  }
  return { body: answered as T, headers: response.headers };
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send<T>({ method: 'GET', path }, signal)).body;
}

async function read(response: Response, asText: boolean): Promise<unknown> {
  const raw = await response.text();
  const type = response.headers.get('Content-Type') ?? '';
  if (!asText && type.includes('json') && raw !== '') {
    try {
      return JSON.parse(raw);
    } catch {
      return raw;
    }
  }
  return raw;
}

interface Problem {
  detail?: string;
  title?: string;
  action?: string;
  code?: string | number;
  name?: string;
  description?: unknown;
  reason?: string;
  errors?: { code?: number; msg?: string }[];
}

/** The forms in which the APIs report errors: problem details, Couchbase's functions and queries, CouchDB's. */
export function refusal(status: number, body: unknown, call: Call): ApiError {
  if (typeof body === 'object' && body !== null) {
    const problem = body as Problem;
    const first = problem.errors?.[0];
    const said =
      problem.detail ?? described(problem.description) ?? first?.msg ?? problem.reason ?? problem.title ?? '';
    const code = problem.name ?? problem.code ?? first?.code ?? '';
    return new ApiError(status, String(code), said || text.errors.status(status), problem.action ?? '', body, call);
  }
  const said = typeof body === 'string' && body !== '' && body.length < 2000 ? body : text.errors.status(status);
  return new ApiError(status, '', said, '', body, call);
}

function described(description: unknown): string | undefined {
  if (typeof description === 'string') {
    return description;
  }
  if (typeof description === 'object' && description !== null) {
    const { description: inner, errors } = description as { description?: unknown; errors?: { description?: string }[] };
    if (typeof inner === 'string') {
      return inner;
    }
    if (Array.isArray(errors)) {
      return errors.map((error) => error.description ?? '').join('\n');
    }
    return JSON.stringify(description);
  }
  return undefined;
}

/** The call as a command for a terminal, with the origin that this page came from; curl asks for the password of the user. */
export function curl(sent: Call, user: string | undefined): string {
  const call = { ...sent, ...sent.copied };
  const url = new URL(call.path, ROOT).href;
  const words = user === undefined ? ['curl'] : ['curl', '-u', quoted(user)];
  const body = call.json !== undefined ? JSON.stringify(call.json) : call.body;
  if (call.method !== 'GET' && !(call.method === 'POST' && (body !== undefined || call.file !== undefined))) {
    words.push('-X', call.method);
  }
  words.push(quoted(url));
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    words.push('-H', quoted(`${name}: ${value}`));
  }
  if (call.json !== undefined) {
    words.push('--json', quoted(body ?? ''));
  } else if (body !== undefined) {
    words.push('-H', quoted(`Content-Type: ${call.type ?? 'application/json'}`), '--data-binary', quoted(body));
  } else if (call.file !== undefined) {
    words.push('-H', quoted(`Content-Type: ${call.type ?? call.file.type}`), '--data-binary', quoted(`@${call.file.name}`));
  }
  return words.join(' ');
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
