import type { Completion, CompletionContext, CompletionSource } from '@codemirror/autocomplete';
import type { Deployment, Env } from '../../api/functions';

const variable = (label: string, detail: string): Completion => ({ label, type: 'variable', detail });
const call = (label: string, detail: string): Completion => ({ label, type: 'function', detail });

/** What handlers may use besides JavaScript itself. */
const GLOBALS: Completion[] = [
  call('log', 'writes a line to the log of the function'),
  call('createTimer', '(callback, date, reference, context)'),
  call('cancelTimer', '(callback, reference)'),
  call('curl', '(method, binding, request)'),
  call('N1QL', '(statement, parameters, options)'),
  call('crc64', '(value)'),
  variable('couchbase', 'accessors with CAS, expiry and paths'),
];

const ACCESSORS = [
  'get',
  'insert',
  'upsert',
  'replace',
  'delete',
  'touch',
  'increment',
  'decrement',
  'mutateIn',
  'lookupIn',
  'bindingDetails',
  'base64Encode',
  'base64Decode',
].map((name) => call(name, ''));

const META = [
  ['id', 'the id of the document'],
  ['cas', 'its version'],
  ['expiration', 'when it expires'],
  ['seq', 'its position in the feed'],
  ['vb', 'its vbucket'],
  ['rev', 'how often it was changed'],
  ['datatype', 'json or binary'],
  ['keyspace', 'bucket, scope and collection'],
].map(([name = '', detail = '']) => ({ label: name, type: 'property', detail }));

/** Completes what the definition of a function offers its code. */
export function completion(deployment: Deployment, env: Env = {}): CompletionSource {
  const aliases = [
    ...(deployment.buckets ?? []).map(({ alias, bucket_name, access }) => variable(alias, `${bucket_name}, ${access}`)),
    ...(deployment.curl ?? []).map(({ value, hostname }) => variable(value, hostname)),
    ...(deployment.constants ?? []).map(({ value, literal }) => variable(value, literal)),
    ...Object.entries(env).map(([name, value]) => variable(name, JSON.stringify(value))),
  ];
  return (context: CompletionContext) => {
    const member = context.matchBefore(/\b(?:meta|couchbase)\.\w*/);
    if (member !== null) {
      const from = member.text.indexOf('.') + 1;
      return { from: member.from + from, options: member.text.startsWith('meta') ? META : ACCESSORS, validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/\w+/);
    if (word === null && !context.explicit) {
      return null;
    }
    return { from: word?.from ?? context.pos, options: [...aliases, ...GLOBALS], validFor: /^\w*$/ };
  };
}
