import type { CanaryRequest, DeadLetter, Debug, DeployFailure, FunctionDefinition, Timer } from '../../generated/functions';
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

export const functionPath = (name: string) => path`api/v1/functions/${name}`;
export const libraryPath = (name: string, version: string) => path`api/v1/libraries/${name}/versions/${version}`;
export const statePath = (name: string) => path`api/v1/status/${name}`;
export const statsPath = (name: string) => path`api/v1/stats/${name}`;
/** With the bins of the run times. */
export const fullStatsPath = (name: string) => `${statsPath(name)}?type=full`;
export const versionsPath = (name: string) => path`api/v1/functions/${name}/versions`;
export const canaryPath = (name: string) => path`api/v1/functions/${name}/canary`;
export const debugPath = (name: string) => path`api/v1/functions/${name}/debug`;
export const logPath = (name: string) => path`api/v1/functions/${name}/log`;
export const insightPath = (name: string) => `getInsight${search({ name })}`;
export const timerDensityPath = (name: string, from: number, to: number, periods: number) =>
  path`api/v1/functions/${name}/timers/density` + search({ from, to, periods });
export const timerStatusPath = (name: string) => path`api/v1/functions/${name}/timers/status`;

export const definition = (name: string) => get<FunctionDefinition>(functionPath(name));

export function lettersPath(name: string, before?: string): string {
  return BASE + encodeURIComponent(name) + '/dead-letters' + search({ limit: 100, before });
}

export function timersPath(name: string, query: Record<string, string | number | undefined>): string {
  return BASE + encodeURIComponent(name) + '/timers' + search(query);
}

export const calls = {
  save: (definition: FunctionDefinition): Call => ({ method: 'POST', path: functionPath(definition.appname), json: definition }),
  /** In a deployed function the new code takes over, and no change is lost. */
  putLive: (definition: FunctionDefinition): Call => ({
    method: 'POST',
    path: functionPath(definition.appname) + '?restart=true',
    json: definition,
  }),
  code: (name: string, code: string): Call => ({
    method: 'POST',
    path: path`api/v1/functions/${name}/appcode`,
    body: code,
    type: 'application/javascript',
  }),
  /** Says what is wrong with code, and saves nothing. */
  check: (name: string, code: string): Call => ({
    method: 'POST',
    path: path`api/v1/functions/${name}/appcode/check`,
    body: code,
    type: 'application/javascript',
  }),
  settings: (name: string, changed: Settings): Call => ({
    method: 'POST',
    path: path`api/v1/functions/${name}/settings`,
    json: changed,
  }),
  deploy: (name: string, settings?: Settings): Call => ({
    method: 'POST',
    path: path`api/v1/functions/${name}/deploy`,
    ...(settings === undefined ? {} : { json: settings }),
  }),
  move: (name: string, move: 'undeploy' | 'pause' | 'resume'): Call => ({
    method: 'POST',
    path: functionPath(name) + '/' + move,
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
    path: path`api/v1/functions/${name}/versions/${version}/rollback?restart=true`,
  }),
  startCanary: (name: string, request: CanaryRequest): Call => ({ method: 'POST', path: canaryPath(name), json: request }),
  endCanary: (name: string, how: 'promote' | 'rollback'): Call => ({ method: 'POST', path: `${canaryPath(name)}/${how}` }),
  debug: (name: string, request: Debug): Call => ({ method: 'POST', path: debugPath(name), json: request }),
  endDebugger: (name: string): Call => ({ method: 'DELETE', path: debugPath(name) }),
  replay: (name: string, letter?: string, code?: string): Call => ({
    method: 'POST',
    path: functionPath(name) + '/dead-letters' + (letter === undefined ? '' : path`/${letter}`) + '/replay',
    ...(code === undefined ? {} : { json: { code } }),
  }),
  drop: (name: string, letter?: string): Call => ({
    method: 'DELETE',
    path: functionPath(name) + '/dead-letters' + (letter === undefined ? '' : path`/${letter}`),
  }),
  timer: (name: string, action: 'fire' | 'move' | 'cancel', timer: Timer, due?: string): Call => ({
    method: 'POST',
    path: functionPath(name) + '/timers/' + action,
    json: { callback: timer.callback, reference: timer.reference, ...(due === undefined ? {} : { due }) },
  }),
};

export async function letter(name: string, letter: string): Promise<DeadLetter> {
  return (await send<DeadLetter>({ method: 'GET', path: functionPath(name) + path`/dead-letters/${letter}` })).body;
}

/** Why a deployment failed, and where in the code. */
export function failureText(failure: DeployFailure | undefined): string {
  if (failure === undefined) {
    return '';
  }
  return failure.line > 0 ? `${failure.message} (${failure.line}:${failure.column})` : failure.message;
}
