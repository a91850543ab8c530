/**
 * Stores a document, deploys a function and queries what it wrote, with the types that openapi-typescript makes from our
 * OpenAPI documents. Arguments: the URL of the gateway, and the header Authorization. Prints "done" at the end.
 */
import createClient from 'openapi-fetch';
import type {paths as Documents} from './documents.js';
import type {paths as Functions} from './functions.js';
import type {paths as Configuration} from './configuration.js';
import type {paths as Gateway} from './gateway.js';

const baseUrl = process.argv[2] ?? 'http://localhost:8080';
const headers = {Authorization: process.argv[3] ?? ''};
const documents = createClient<Documents>({baseUrl, headers});
const functions = createClient<Functions>({baseUrl, headers});
const configuration = createClient<Configuration>({baseUrl, headers});
const gateway = createClient<Gateway>({baseUrl, headers});

/** Returns the data of a response; throws what the service says about a failure. */
function checked<T>({data, error}: {data?: T; error?: unknown}, what: string): T {
  if (error !== undefined || data === undefined) {
    throw new Error(`${what}: ${JSON.stringify(error)}`);
  }
  return data;
}

function assert(condition: boolean, message: string): asserts condition {
  if (!condition) {
    throw new Error(message);
  }
}

/** Repeats a question until it has an answer, for at most a minute. */
async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${what} did not happen within a minute.`);
}

for (const bucket of ['ts_people', 'ts_greetings', 'ts_eventing']) {
  checked(await documents.PUT('/api/v1/buckets/{bucket}', {params: {path: {bucket}}}), `create ${bucket}`);
}

const name = 'ts_greet';
checked(
  await functions.POST('/api/v1/functions/{name}', {
    params: {path: {name}},
    body: {
      appname: name,
      appcode: 'function OnUpdate(doc, meta) { greetings[meta.id] = {text: "Hello, " + doc.name}; }',
      depcfg: {
        source_bucket: 'ts_people',
        metadata_bucket: 'ts_eventing',
        buckets: [{alias: 'greetings', bucket_name: 'ts_greetings', access: 'rw'}],
      },
      settings: {dcp_stream_boundary: 'everything', worker_count: 1},
    },
  }),
  'save the function',
);
const moved = checked(
  await functions.POST('/api/v1/functions/{name}/deploy', {params: {path: {name}}}),
  'deploy the function',
);
assert(moved.info.name === name, `deploy answered for ${moved.info.name}`);

await documents.PUT('/api/v1/buckets/{bucket}/docs/{id}', {
  params: {path: {bucket: 'ts_people', id: 'ada'}},
  body: {name: 'Ada'},
});
const greeting = await eventually('The greeting', async () => {
  const {data} = await documents.GET('/api/v1/buckets/{bucket}/docs/{id}', {
    params: {path: {bucket: 'ts_greetings', id: 'ada'}},
  });
  return data as {text: string} | undefined;
});
assert(greeting.text === 'Hello, Ada', `the greeting is ${greeting.text}`);

const found = checked(
  await documents.POST('/query/service', {
    body: {statement: 'SELECT g.text FROM ts_greetings AS g USE KEYS "ada"'},
  }),
  'query',
);
assert(JSON.stringify(found).includes('Hello, Ada'), `the query answered ${JSON.stringify(found)}`);

const status = checked(
  await functions.GET('/api/v1/status/{name}', {params: {path: {name}}}),
  'status',
);
assert(status.app.composite_status === 'deployed', `the function is ${status.app.composite_status}`);
const statistics = checked(
  await functions.GET('/api/v1/stats/{name}', {params: {path: {name}}}),
  'statistics',
);
const successes: number | undefined = statistics.execution_stats['on_update_success'] as number | undefined;
assert(successes !== undefined && successes >= 1, `on_update_success is ${successes}`);
const letters = checked(
  await functions.GET('/api/v1/functions/{name}/dead-letters', {params: {path: {name}}}),
  'dead letters',
);
assert(letters.total === 0, `there are ${letters.total} dead letters`);
const topology = checked(await configuration.GET('/api/v1/topology'), 'topology');
assert((topology.live ?? []).length > 0, 'no eventing node is alive');

const missing = await functions.GET('/api/v1/functions/{name}/timers', {params: {path: {name: 'ts_missing'}}});
assert(missing.error?.code === 'function_not_found', `the problem is ${JSON.stringify(missing.error)}`);
const exported = await gateway.GET('/api/v1/export', {params: {query: {format: 'zip'}}, parseAs: 'arrayBuffer'});
assert(exported.response.ok, `the export answered ${exported.response.status}`);

checked(await functions.POST('/api/v1/functions/{name}/undeploy', {params: {path: {name}}}), 'undeploy');
await eventually('The end of the function', async () => {
  const {data} = await functions.GET('/api/v1/status/{name}', {params: {path: {name}}});
  return data?.app.composite_status === 'undeployed' ? true : undefined;
});
checked(await functions.DELETE('/api/v1/functions/{name}', {params: {path: {name}}}), 'delete the function');
console.log('done');
