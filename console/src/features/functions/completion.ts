import type { Completion, CompletionContext, CompletionSource } from '@codemirror/autocomplete';
import type { Deployment, Env } from '../../api/functions';
import { text } from '../../text';
import type { KnownMembers } from '../../ui/editor/members';

const variable = (label: string, detail: string): Completion => ({ label, type: 'variable', detail });
const call = (label: string, detail: string): Completion => ({ label, type: 'function', detail });

/** What handlers may use besides JavaScript itself. */
const GLOBALS: Completion[] = [
  call('log', 'writes a line to the log of the function'),
  call('createTimer', '(callback, date, reference, context)'),
  call('cancelTimer', '(callback, reference)'),
  call('curl', '(method, binding, request)'),
  call('sql', '(binding, statement, parameters)'),
  call('publish', '(binding, message, options)'),
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
  'MutateInSpec',
  'LookupInSpec',
  'bindingDetails',
  'n1qlQuery',
  'analyticsQuery',
  'base64Encode',
  'base64Decode',
  'base64Float32ArrayEncode',
  'base64Float32ArrayDecode',
  'base64Float64ArrayEncode',
  'base64Float64ArrayDecode',
].map((name) => call(name, ''));

const META = [
  ['id', 'the id of the document'],
  ['cas', 'its version'],
  ['expiration', 'when it expires, in seconds since 1970; 0 for never'],
  ['expiry_date', 'the same as a Date; absent for never'],
  ['seq', 'its position in the feed'],
  ['vb', 'its vbucket'],
  ['flags', 'the flags of the SDK that wrote it'],
  ['datatype', 'json or binary'],
  ['keyspace', 'bucket, scope and collection'],
].map(([name = '', detail = '']) => ({ label: name, type: 'property', detail }));

/** What there is also, but is not offered. */
const UNOFFERED = { meta: ['docid', 'expiry'], couchbase: ['searchQuery', 'curl', 'log', 'createTimer', 'cancelTimer', 'crc64', 'crc_64_go_iso'] };

/** What the objects have that handlers are given. */
export const KNOWN: KnownMembers = {
  meta: new Set([...META.map(({ label }) => label), ...UNOFFERED.meta]),
  couchbase: new Set([...ACCESSORS.map(({ label }) => label), ...UNOFFERED.couchbase]),
  says: text.functions.unknownMember,
};

/** Completes what the definition of a function offers its code. */
export function completion(deployment: Deployment, env: Env = {}): CompletionSource {
  const aliases = [
    ...(deployment.buckets ?? []).map(({ alias, bucket_name, access }) => variable(alias, `${bucket_name}, ${access}`)),
    ...(deployment.curl ?? []).map(({ value, hostname }) => variable(value, hostname)),
    ...(deployment.sql ?? []).map(({ value, url }) => variable(value, url)),
    ...(deployment.topics ?? []).map(({ value, topic }) => variable(value, topic)),
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
