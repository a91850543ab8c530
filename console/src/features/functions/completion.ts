import type { Completion, CompletionContext, CompletionSource } from '@codemirror/autocomplete';
import { ARGUMENTS, GLOBALS, MEMBERS } from '../../../generated/handlers';
import type { Deployment, Env, Settings } from '../../api/functions';
import { text } from '../../text';
import type { KnownLanguage } from '../../ui/editor/members';

const variable = (label: string, detail: string): Completion => ({ label, type: 'variable', detail });

/** What the objects have that handlers are given. */
export const KNOWN: KnownLanguage = { members: MEMBERS, arguments: ARGUMENTS, says: text.functions.unknownMember };

/** Completes what the language and the definition of a function offer its code; members are completed by the editor. */
export function completion(deployment: Deployment, settings: Settings = {}): CompletionSource {
  const aliases = [
    ...(deployment.buckets ?? []).map(({ alias, bucket_name, access }) => variable(alias, `${bucket_name}, ${access}`)),
    ...(deployment.curl ?? []).map(({ value, hostname }) => variable(value, hostname)),
    ...(deployment.sql ?? []).map(({ value, url }) => variable(value, url)),
    ...(deployment.topics ?? []).map(({ value, topic }) => variable(value, topic)),
    ...(deployment.constants ?? []).map(({ value, literal }) => variable(value, literal)),
    ...Object.entries((settings['env'] ?? {}) as Env).map(([name, value]) => variable(name, JSON.stringify(value))),
    ...Object.entries((settings['secrets'] ?? {}) as Env).map(([name, secret]) => variable(name, text.functions.secret(String(secret)))),
  ];
  return (context: CompletionContext) => {
    const word = context.matchBefore(/\w+/);
    const member = context.matchBefore(/[\w$)\]]\.\w*/) !== null;
    if (member || (word === null && !context.explicit)) {
      return null;
    }
    return { from: word?.from ?? context.pos, options: [...aliases, ...GLOBALS], validFor: /^\w*$/ };
  };
}
