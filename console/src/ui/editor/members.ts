import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** What handlers are given. */
export interface KnownLanguage {
  /** The members of objects, such as `couchbase.MutateInSpec`, and of types; one that is not listed is probably misspelt. */
  members: Readonly<Record<string, readonly Completion[]>>;
  /** The types of the arguments of handlers in their order; null for one that may be anything. */
  arguments: Readonly<Record<string, readonly (string | null)[]>>;
  says: (member: string, object: string) => string;
}

/** How long a parse may keep the page busy; what is left is found with the next change. */
const PARSE_MILLIS = 50;

/** The arguments of a handler that have a type. */
interface Handler {
  from: number;
  to: number;
  types: Map<string, string>;
}

/** Members of what handlers are given that do not exist, while the code is typed. */
export function unknownMembers(state: EditorState, known: KnownLanguage): Diagnostic[] {
  const handlers: Handler[] = [];
  const found: Diagnostic[] = [];
  (ensureSyntaxTree(state, state.doc.length, PARSE_MILLIS) ?? syntaxTree(state)).iterate({
    enter: ({ node, name }) => {
      if (name === 'FunctionDeclaration') {
        handlers.push(handlerOf(node, state, known));
      } else if (name === 'MemberExpression' && node.lastChild?.name === 'PropertyName' && node.firstChild !== null) {
        const object = state.sliceDoc(node.firstChild.from, node.firstChild.to);
        const { from, to } = node.lastChild;
        const within = handlers.filter((handler) => handler.from <= from && to <= handler.to);
        const members = membersOf(object, within, known);
        const member = state.sliceDoc(from, to);
        if (members !== undefined && !members.some(({ label }) => label === member)) {
          found.push({ from, to, severity: 'warning', message: known.says(member, object) });
        }
      }
    },
  });
  return found;
}

/** Completes members of what handlers are given. */
export function memberCompletion(known: KnownLanguage): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const typed = context.matchBefore(/[\w$]+(?:\.[\w$]+)*\.\w*/);
    if (typed === null) {
      return null;
    }
    const dot = typed.text.lastIndexOf('.');
    const handlers: Handler[] = [];
    for (let node: SyntaxNode | null = syntaxTree(context.state).resolveInner(context.pos, -1); node !== null; node = node.parent) {
      if (node.name === 'FunctionDeclaration') {
        handlers.push(handlerOf(node, context.state, known));
      }
    }
    const members = membersOf(typed.text.slice(0, dot), handlers, known);
    return members === undefined ? null : { from: typed.from + dot + 1, options: [...members], validFor: /^\w*$/ };
  };
}

/** The members of an object that is written as names with dots, where it is an argument of one of the handlers or a global. */
function membersOf(object: string, handlers: readonly Handler[], known: KnownLanguage): readonly Completion[] | undefined {
  const [name = '', ...rest] = object.split('.');
  const type = handlers.find(({ types }) => types.has(name))?.types.get(name) ?? name;
  const path = [type, ...rest].join('.');
  return Object.hasOwn(known.members, path) ? known.members[path] : undefined;
}

function handlerOf(node: SyntaxNode, state: EditorState, known: KnownLanguage): Handler {
  const text = ({ from, to }: SyntaxNode) => state.sliceDoc(from, to);
  const name = node.getChild('VariableDefinition');
  const wanted = (name === null ? undefined : known.arguments[text(name)]) ?? [];
  const types = new Map<string, string>();
  let at = 0;
  for (let parameter = node.getChild('ParamList')?.firstChild ?? null; parameter !== null; parameter = parameter.nextSibling) {
    if (/Definition|Pattern/.test(parameter.name)) {
      const type = wanted[at++];
      if (typeof type === 'string' && parameter.name === 'VariableDefinition') {
        types.set(text(parameter), type);
      }
    }
  }
  return { from: node.from, to: node.to, types };
}
