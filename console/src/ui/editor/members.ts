import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** What the objects have that handlers are given; a member that is not named is probably misspelt. */
export interface KnownMembers {
  meta: ReadonlySet<string>;
  couchbase: ReadonlySet<string>;
  says: (member: string, object: string) => string;
}

/** How long a parse may keep the page busy; what is left is found with the next change. */
const PARSE_MILLIS = 50;

/** Which parameter of a handler is the metadata. */
const META_OF: Record<string, number> = { OnUpdate: 1, OnDelete: 0 };

interface Handler {
  from: number;
  to: number;
  meta: string;
}

/** Members of the metadata and of `couchbase` that do not exist, while the code is typed. */
export function unknownMembers(state: EditorState, known: KnownMembers): Diagnostic[] {
  const text = ({ from, to }: SyntaxNode) => state.sliceDoc(from, to);
  const handlers: Handler[] = [];
  const found: Diagnostic[] = [];
  const membersOf = (object: SyntaxNode) =>
    text(object) === 'couchbase'
      ? known.couchbase
      : handlers.some(({ from, to, meta }) => from <= object.from && object.to <= to && meta === text(object))
        ? known.meta
        : undefined;
  (ensureSyntaxTree(state, state.doc.length, PARSE_MILLIS) ?? syntaxTree(state)).iterate({
    enter: ({ node, name }) => {
      if (name === 'FunctionDeclaration') {
        const meta = metaOf(node, text);
        if (meta !== undefined) {
          handlers.push({ from: node.from, to: node.to, meta });
        }
      } else if (name === 'MemberExpression') {
        const object = node.firstChild;
        const member = node.lastChild;
        const members = object?.name === 'VariableName' && member?.name === 'PropertyName' ? membersOf(object) : undefined;
        if (object && member && members?.has(text(member)) === false) {
          const { from, to } = member;
          found.push({ from, to, severity: 'warning', message: known.says(text(member), text(object)) });
        }
      }
    },
  });
  return found;
}

/** The name of the metadata in a handler; undefined in other functions. */
function metaOf(node: SyntaxNode, text: (node: SyntaxNode) => string): string | undefined {
  const name = node.getChild('VariableDefinition');
  const at = name === null ? undefined : META_OF[text(name)];
  let parameter = node.getChild('ParamList')?.firstChild ?? null;
  for (let i = -1; at !== undefined && parameter !== null; parameter = parameter.nextSibling) {
    if (/Definition|Pattern/.test(parameter.name) && ++i === at) {
      return parameter.name === 'VariableDefinition' ? text(parameter) : undefined;
    }
  }
  return undefined;
}
