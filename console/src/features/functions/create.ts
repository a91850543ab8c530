import { BUCKETS, type Bucket, calls as documents, DEFAULT, documentPath, type Keyspace } from '../../api/documents';
import { calls, type Definition, type Stats, statsPath, type Template } from '../../api/functions';
import { ApiError, get, path, send } from '../../api/http';
import { failedBy, handledBy } from './rates';

export interface Wanted {
  template: Template;
  name: string;
  /** The bucket to use in the place of each that the template names. */
  places: Record<string, string>;
  sample: boolean;
  /** The category of event streams, or the topic, in the place of the one that the template names, if it handles no documents. */
  from: string;
}

/** A document that the function has written, or gets. */
export interface Made {
  bucket: string;
  id: string;
  body: unknown;
}

/** What became of the sample; undefined if it takes too long. */
export type Outcome = { failed: boolean; made: Made[] } | undefined;

type Documents = Record<string, Record<string, unknown>>;

/** A test of the template: what must be there, what happens, and what the function makes of it. */
interface Case {
  given?: { documents?: Documents };
  when?: { update?: { id: string }; append?: { stream: string } }[];
  then?: { documents?: Documents };
}

const SAMPLE_SECONDS = 60;

const inBucket = (bucket: string): Keyspace => ({ bucket, scope: DEFAULT, collection: DEFAULT });
const skeleton = ({ definition }: Template) => definition as unknown as Definition;

/** The category of event streams whose events the template handles; empty if it handles documents. */
export const categoryOf = (template: Template): string => skeleton(template).depcfg.source_category ?? '';

/** The topic whose messages the template handles; empty if it handles something else. */
export const topicOf = (template: Template): string => skeleton(template).depcfg.source_topic ?? '';

/** The stream of the sample, in the category that was chosen. */
export const streamOf = ({ template, from }: Wanted): string => from + template.sample.id.slice(categoryOf(template).length);

/** The buckets that the template names, the source first, each with what the code calls it. */
export function bucketsOf(template: Template): { bucket: string; alias: string }[] {
  const { source_bucket: source, buckets = [] } = skeleton(template).depcfg;
  const bound = buckets.map(({ alias, bucket_name }) => ({ bucket: bucket_name, alias }));
  return [...(source === undefined ? [] : [{ bucket: source, alias: '' }]), ...bound.filter(({ bucket }) => bucket !== source)];
}

export function definitionOf({ template, name, places, from }: Wanted): Definition {
  const { depcfg, settings, ...rest } = skeleton(template);
  const placed = (bucket: string) => places[bucket] ?? bucket;
  const other = depcfg.source_topic === undefined ? { source_category: from } : { source_topic: from };
  return {
    ...rest,
    appname: name,
    appcode: template.code,
    depcfg: {
      ...depcfg,
      ...(depcfg.source_bucket === undefined ? other : { source_bucket: placed(depcfg.source_bucket) }),
      buckets: (depcfg.buckets ?? []).map((binding) => ({ ...binding, bucket_name: placed(binding.bucket_name) })),
    },
    settings: { ...settings, dcp_stream_boundary: 'everything' },
  };
}

/** Makes the buckets that are missing, the function and the sample with what it refers to, and deploys. */
export async function create(wanted: Wanted): Promise<void> {
  const definition = definitionOf(wanted);
  const { source_bucket: source, metadata_bucket: metadata, buckets: bound = [] } = definition.depcfg;
  const buckets = await get<Bucket[]>(BUCKETS);
  for (const bucket of new Set([...(source === undefined ? [] : [source]), metadata, ...bound.map(({ bucket_name }) => bucket_name)])) {
    if (!buckets.some(({ name }) => name === bucket)) {
      await send(documents.createBucket(bucket));
    }
  }
  await send(calls.save(definition));
  if (wanted.sample) {
    const { id, document, type = '' } = wanted.template.sample;
    for (const { bucket, id, body } of listed(wanted, firstCase(wanted)?.given?.documents)) {
      await send(documents.write(inBucket(bucket), id, JSON.stringify(body), {}));
    }
    await send(
      source === undefined
        ? {
            method: 'POST',
            path: `${path`api/v1/streams/${streamOf(wanted)}`}/events?version=0`,
            json: { events: [{ type, data: document }] },
          }
        : documents.write(inBucket(source), id, JSON.stringify(document), {}),
    );
  }
  await send(calls.deploy(wanted.name));
}

/** Waits until the function has handled the sample, and reads what it has written. */
export async function firstResult(wanted: Wanted): Promise<Outcome> {
  const expected = listed(wanted, firstCase(wanted)?.then?.documents);
  const until = Date.now() + SAMPLE_SECONDS * 1000;
  while (Date.now() < until) {
    const stats = await get<Stats>(statsPath(wanted.name));
    const found = await Promise.all(expected.map(stored));
    const made = found.filter((one) => one !== undefined);
    const failed = failedBy(stats) > 0;
    if (failed || (expected.length > 0 && made.length === expected.length) || (expected.length === 0 && handledBy(stats) > 0)) {
      return { failed, made };
    }
    await new Promise((later) => setTimeout(later, 400));
  }
  return undefined;
}

/** The test that the sample comes from. */
function firstCase({ template }: Wanted): Case | undefined {
  const [first] = template.tests as Case[];
  const [step] = first?.when ?? [];
  const about = step?.update?.id ?? step?.append?.stream;
  return first?.when?.length === 1 && about === template.sample.id ? first : undefined;
}

function listed({ places }: Wanted, all: Documents = {}): Made[] {
  return Object.entries(all).flatMap(([bucket, some]) =>
    Object.entries(some).map(([id, body]) => ({ bucket: places[bucket] ?? bucket, id, body })),
  );
}

async function stored({ bucket, id }: Made): Promise<Made | undefined> {
  try {
    return { bucket, id, body: await get<unknown>(documentPath(inBucket(bucket), id)) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}
