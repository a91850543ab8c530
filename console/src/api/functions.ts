import type {
  AppStatus,
  CanaryRequest,
  DeadLetter,
  Debug,
  DeployFailure,
  FunctionDefinition,
  FunctionScope,
  FunctionStatistics,
  LogLine,
  Timer,
} from '../../generated/functions';
import { type Call, get, path, search, send } from './http';

export type {
  AppStatus as FunctionState,
  BucketBinding as KeyspaceBinding,
  Canary,
  CanaryRequest,
  CanaryRule,
  CanarySide,
  CodeMistakes,
  DeadLetter,
  DeadLetterPage as DeadLetters,
  Debug,
  DebugState,
  DefinitionDiff,
  DeploymentConfig as Deployment,
  DeployFailure as Failure,
  FunctionDefinition as Definition,
  FunctionStatistics as Stats,
  FunctionStatus as OneState,
  FunctionStatuses as AllStates,
  FunctionVersion,
  Insights,
  Library,
  LibraryWithCode,
  LineInsight,
  LogLine,
  Replayed,
  Results,
  RolledBack,
  Template,
  Timer,
  TimerPage as Timers,
  TimerDensity,
  TimerStatus,
  VersionPage,
} from '../../generated/functions';

/** The constants of a function, the setting `env`. */
export type Env = Record<string, string | number | boolean>;
export type SettingValue = string | number | boolean | string[] | Env;
export type Settings = Record<string, SettingValue>;

const BASE = 'api/v1/functions/';

export const STATES = 'api/v1/status';
export const STATISTICS = 'api/v1/stats';
export const IMPORT = 'api/v1/import';
export const EXPORT = 'api/v1/export';
export const TEMPLATES = 'api/v1/templates';
export const LIBRARIES = 'api/v1/libraries';

/** In the place of a bucket and a scope: the function belongs to none. */
const ANY = '*';

/** The full name of a function, as logs and lists have it: its name, or bucket/scope/name if it has a function scope. */
function fullName(name: string, { bucket, scope }: FunctionScope = { bucket: ANY, scope: ANY }): string {
  return bucket === ANY ? name : `${bucket}/${scope}/${name}`;
}

export const nameOfState = ({ name, function_scope: scope }: AppStatus): string => fullName(name, scope);
export const nameOfDefinition = ({ appname, function_scope: scope }: FunctionDefinition): string => fullName(appname, scope);
export const nameOfStats = ({ function_name: name, function_scope: scope }: FunctionStatistics): string =>
  fullName(name, { bucket: scope.bucket_name ?? ANY, scope: scope.scope_name ?? ANY });

type Query = Record<string, string | number | boolean | undefined>;

/** The path of a request about the function with this full name: its scope stands in the query. */
function about(prefix: string, full: string, suffix = '', query: Query = {}): string {
  const [name = '', scope, bucket] = full.split('/').reverse();
  return prefix + encodeURIComponent(name) + suffix + search({ ...query, bucket, scope });
}

export const functionPath = (name: string, suffix = '', query: Query = {}) => about(BASE, name, suffix, query);
export const libraryPath = (name: string, version: string) => path`api/v1/libraries/${name}/versions/${version}`;
export const statePath = (name: string) => about('api/v1/status/', name);
export const statsPath = (name: string) => about('api/v1/stats/', name);
/** With the bins of the run times. */
export const fullStatsPath = (name: string) => about('api/v1/stats/', name, '', { type: 'full' });
export const versionsPath = (name: string) => functionPath(name, '/versions');
export const canaryPath = (name: string) => functionPath(name, '/canary');
export const debugPath = (name: string) => functionPath(name, '/debug');
export const logPath = (name: string) => functionPath(name, '/log');
/** The parts of a full name as the paths of Couchbase take them. */
function named(full: string): Record<string, string | undefined> {
  const [name, scope, bucket] = full.split('/').reverse();
  return { name, bucket, scope };
}

export const insightPath = (full: string): string => 'getInsight' + search(named(full));

const LOG_BYTES = 65_536;
const LOG_LINE = /^(\S+) \[([A-Z]+)\] (.*)$/;

/** The end of a function's log, oldest line first. */
export async function earlierLines(full: string): Promise<Pick<LogLine, 'time' | 'level' | 'text'>[]> {
  const log = await get<string>('getAppLog' + search({ ...named(full), size: LOG_BYTES }));
  return log
    .split('\n')
    .map((line) => LOG_LINE.exec(line))
    .filter((found) => found !== null)
    .map(([, time = '', level = '', said = '']) => ({ time, level, text: said }))
    .reverse();
}
export const timerDensityPath = (name: string, from: number, to: number, periods: number) =>
  functionPath(name, '/timers/density', { from, to, periods });
export const timerStatusPath = (name: string) => functionPath(name, '/timers/status');

export const definition = (name: string) => get<FunctionDefinition>(functionPath(name));

export function lettersPath(name: string, limit = 100): string {
  return functionPath(name, '/dead-letters', { limit });
}

export function timersPath(name: string, query: Record<string, string | number | undefined>): string {
  return functionPath(name, '/timers', query);
}

/** All dead letters, or one of them. */
const lettersOf = (letter: string | undefined): string => '/dead-letters' + (letter === undefined ? '' : path`/${letter}`);

export const calls = {
  save: (definition: FunctionDefinition): Call => ({ method: 'POST', path: functionPath(nameOfDefinition(definition)), json: definition }),
  /** In a deployed function the new code takes over, and no change is lost. */
  putLive: (definition: FunctionDefinition): Call => ({
    method: 'POST',
    path: functionPath(nameOfDefinition(definition), '', { restart: true }),
    json: definition,
  }),
  code: (name: string, code: string): Call => ({
    method: 'POST',
    path: functionPath(name, '/appcode'),
    body: code,
    type: 'application/javascript',
  }),
  /** Says what is wrong with code, and saves nothing. */
  check: (name: string, code: string): Call => ({
    method: 'POST',
    path: functionPath(name, '/appcode/check'),
    body: code,
    type: 'application/javascript',
  }),
  settings: (name: string, changed: Settings): Call => ({
    method: 'POST',
    path: functionPath(name, '/settings'),
    json: changed,
  }),
  deploy: (name: string, settings?: Settings): Call => ({
    method: 'POST',
    path: functionPath(name, '/deploy'),
    ...(settings === undefined ? {} : { json: settings }),
  }),
  move: (name: string, move: 'undeploy' | 'pause' | 'resume'): Call => ({
    method: 'POST',
    path: functionPath(name, `/${move}`),
  }),
  remove: (name: string): Call => ({ method: 'DELETE', path: functionPath(name) }),
  library: (name: string, version: string, code: string): Call => ({
    method: 'PUT',
    path: libraryPath(name, version),
    body: code,
    type: 'application/javascript',
  }),
  removeLibrary: (name: string, version: string): Call => ({ method: 'DELETE', path: libraryPath(name, version) }),
  rollback: (name: string, version: number): Call => ({
    method: 'POST',
    path: functionPath(name, `/versions/${version}/rollback`, { restart: true }),
  }),
  startCanary: (name: string, request: CanaryRequest): Call => ({ method: 'POST', path: canaryPath(name), json: request }),
  endCanary: (name: string, how: 'promote' | 'rollback'): Call => ({ method: 'POST', path: functionPath(name, `/canary/${how}`) }),
  debug: (name: string, request: Debug): Call => ({ method: 'POST', path: debugPath(name), json: request }),
  endDebugger: (name: string): Call => ({ method: 'DELETE', path: debugPath(name) }),
  replay: (name: string, letter?: string, code?: string): Call => ({
    method: 'POST',
    path: functionPath(name, lettersOf(letter) + '/replay'),
    ...(code === undefined ? {} : { json: { code } }),
  }),
  drop: (name: string, letter?: string): Call => ({
    method: 'DELETE',
    path: functionPath(name, lettersOf(letter)),
  }),
  timer: (name: string, action: 'fire' | 'move' | 'cancel', timer: Timer, due?: string): Call => ({
    method: 'POST',
    path: functionPath(name, `/timers/${action}`),
    json: { callback: timer.callback, reference: timer.reference, ...(due === undefined ? {} : { due }) },
  }),
};

export async function letter(name: string, letter: string): Promise<DeadLetter> {
  return (await send<DeadLetter>({ method: 'GET', path: functionPath(name, lettersOf(letter)) })).body;
}

/** Why a deployment failed, and where in the code. */
export function failureText(failure: DeployFailure | undefined): string {
  if (failure === undefined) {
    return '';
  }
  return failure.line > 0 ? `${failure.message} (${failure.line}:${failure.column})` : failure.message;
}
