import { BUCKETS, type Bucket, calls, DEFAULT, type Keyspace } from '../../api/documents';
import { type AllStates, type Definition, IMPORT, nameOfDefinition, nameOfState, STATES } from '../../api/functions';
import { type Call, get, send } from '../../api/http';
import { text } from '../../text';

const ZIP = 'application/zip';
const ZIP_BEGINS = 'PK';

/** What an import does to a function, and the keyspaces that it lacks. */
export interface Expected {
  name: string;
  fate: 'added' | 'replaced' | 'refused';
  source: string;
  missing: Keyspace[];
}

/** A file that may be imported; the functions of an archive are known to the server alone. */
export interface Upload {
  call: Call;
  functions: Expected[] | undefined;
}

export const spelled = ({ bucket, scope, collection }: Keyspace): string =>
  scope === DEFAULT && collection === DEFAULT ? bucket : [bucket, scope, collection].join('.');

/** Reads a file and compares it with what is there. Fails with what is wrong with the file. */
export async function read(file: File): Promise<Upload> {
  if ((await file.slice(0, 2).text()) === ZIP_BEGINS) {
    return { call: { method: 'POST', path: IMPORT, file, type: ZIP }, functions: undefined };
  }
  const definitions = functionsIn(await file.text());
  const [states, buckets] = await Promise.all([get<AllStates>(STATES), get<Bucket[]>(BUCKETS)]);
  return {
    call: { method: 'POST', path: IMPORT, file, type: 'application/json' },
    functions: definitions.map((definition) => expected(definition, states, buckets)),
  };
}

function functionsIn(json: string): Definition[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw new Error(text.archive.notJson(error instanceof Error ? error.message : ''));
  }
  const all = (Array.isArray(parsed) ? parsed : [parsed]) as Partial<Definition>[];
  if (all.length === 0 || all.some((one) => typeof one?.appname !== 'string')) {
    throw new Error(text.archive.notFunctions);
  }
  return all as Definition[];
}

function expected(definition: Definition, states: AllStates, buckets: Bucket[]): Expected {
  const { depcfg } = definition;
  const name = nameOfDefinition(definition);
  const state = states.apps.find((app) => nameOfState(app) === name)?.composite_status;
  const named = (bucket?: string, scope = DEFAULT, collection = DEFAULT): Keyspace[] =>
    bucket === undefined ? [] : [{ bucket, scope: scope || DEFAULT, collection: collection || DEFAULT }];
  const wanted = [
    ...named(depcfg?.source_bucket, depcfg?.source_scope, depcfg?.source_collection),
    ...named(depcfg?.metadata_bucket, depcfg?.metadata_scope, depcfg?.metadata_collection),
    ...(depcfg?.buckets ?? []).flatMap((one) => named(one.bucket_name, one.scope_name, one.collection_name)),
  ];
  return {
    name,
    fate: state === undefined ? 'added' : state === 'undeployed' ? 'replaced' : 'refused',
    source: wanted[0] === undefined ? '' : spelled(wanted[0]),
    missing: wanted.filter((keyspace) => !exists(keyspace, buckets)),
  };
}

/** A wildcard names whatever there is. */
function exists({ bucket, scope, collection }: Keyspace, buckets: Bucket[]): boolean {
  const scopes = buckets.find(({ name }) => name === bucket)?.scopes;
  const collections = scope === '*' ? scopes?.flatMap((one) => one.collections) : scopes?.find(({ name }) => name === scope)?.collections;
  return collections !== undefined && (collection === '*' || collections.some(({ name }) => name === collection));
}

/** The keyspaces that functions lack, each once. */
export const lacking = (functions: Expected[]): Keyspace[] => [
  ...new Map(functions.flatMap(({ missing }) => missing).map((keyspace) => [spelled(keyspace), keyspace])).values(),
];

/** Creates keyspaces with the buckets and scopes that they are in. */
export async function createAll(keyspaces: Keyspace[]): Promise<void> {
  const buckets = await get<Bucket[]>(BUCKETS);
  const there = new Set(buckets.flatMap(({ name, scopes }) => [name, ...scopes.map((scope) => `${name}.${scope.name}`)]));
  const make = async (name: string, call: Call) => {
    if (!there.has(name)) {
      there.add(name);
      await send(call);
    }
  };
  for (const keyspace of keyspaces) {
    const { bucket, scope, collection } = keyspace;
    await make(bucket, calls.createBucket(bucket));
    if (scope !== '*' && scope !== DEFAULT) {
      await make(`${bucket}.${scope}`, calls.createScope(bucket, scope));
    }
    if (collection !== '*' && collection !== DEFAULT) {
      await make(spelled(keyspace), calls.createCollection(keyspace));
    }
  }
}
