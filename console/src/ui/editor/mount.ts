import { autocompletion, closeBrackets, closeBracketsKeymap, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forEachDiagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { insightGutter, type LineMark } from './insight';
import { type KnownLanguage, memberCompletion, unknownMembers } from './members';

/** A message of the server about the code, at a line and a column that count from 1. */
export interface Finding {
  line: number;
  column: number;
  message: string;
  severity: 'error' | 'warning';
}

export interface Editor {
  set(doc: string): void;
  find(findings: Finding[]): void;
  mark(marks: Map<number, LineMark>): void;
  destroy(): void;
}

export interface Wanted {
  doc: string;
  label: string;
  readOnly: boolean;
  language: 'javascript' | 'json' | 'text';
  changed: (doc: string) => void;
  save?: (() => void) | undefined;
  run?: (() => void) | undefined;
  complete?: CompletionSource | undefined;
  known?: KnownLanguage | undefined;
}

/** Typing must have stopped for so long before the code is looked at. */
const REST_MILLIS = 250;

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--card)', fontSize: '13px', height: '100%' },
  '.cm-content': { fontFamily: 'var(--mono)', lineHeight: '20px', caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--card)', color: 'var(--soft)', border: 'none', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--tint)', color: 'var(--ink)' },
  '.cm-insight': { minWidth: '44px', padding: '0 6px', textAlign: 'right', color: 'var(--soft)', cursor: 'help' },
  '.cm-insight.failing': { color: 'var(--failed)', fontWeight: '600' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--text)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--busy)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.comment], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.function(tags.variableName))], color: 'var(--accent)' },
  { tag: [tags.propertyName], color: 'var(--accent)' },
]);

/** Styles of the editor go into a shadow tree as style sheets: the policy of the page allows no style elements. */
export function mount(host: HTMLElement, wanted: Wanted): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const marks = new Compartment();
  let marked = false;
  let silent = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const typed = (state: EditorState) => (wanted.known === undefined ? [] : unknownMembers(state, wanted.known));
  const check = () => view.dispatch(setDiagnostics(view.state, [...errors(view.state), ...typed(view.state)]));
  const keys = [
    { key: 'Mod-s', preventDefault: true, run: () => (wanted.save?.(), wanted.save !== undefined) },
    { key: 'Mod-Enter', preventDefault: true, run: () => (wanted.run?.(), wanted.run !== undefined) },
  ];
  const extensions: Extension[] = [
    lineNumbers(),
    marks.of([]),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    look,
    syntaxHighlighting(colours),
    EditorState.readOnly.of(wanted.readOnly),
    // what can be edited is reached by the tabulator anyway; the attribute says so to what checks pages
    EditorView.contentAttributes.of({ 'aria-label': wanted.label, tabindex: '0' }),
    keymap.of([...keys, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !silent) {
        wanted.changed(update.state.doc.toString());
      }
      if (update.docChanged && wanted.known !== undefined) {
        clearTimeout(resting);
        resting = setTimeout(check, REST_MILLIS);
      }
    }),
  ];
  if (wanted.language !== 'text') {
    extensions.push(javascript());
  }
  if (wanted.language === 'javascript') {
    extensions.push(lintGutter());
  }
  if (wanted.complete !== undefined) {
    extensions.push(
      wanted.language === 'text'
        ? autocompletion({ override: [wanted.complete] })
        : [autocompletion(), javascriptLanguage.data.of({ autocomplete: wanted.complete })],
    );
  }
  if (wanted.known !== undefined) {
    extensions.push(javascriptLanguage.data.of({ autocomplete: memberCompletion(wanted.known) }));
  }
  const view = new EditorView({ parent: root, root, state: EditorState.create({ doc: wanted.doc, extensions }) });
  return {
    set(doc) {
      if (doc !== view.state.doc.toString()) {
        silent = true;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } });
        silent = false;
      }
    },
    find: (findings) => {
      clearTimeout(resting); // it would take away what the server has found meanwhile
      view.dispatch(
        setDiagnostics(view.state, [...findings.map((finding) => diagnostic(view.state, finding)), ...typed(view.state)]),
      );
    },
    mark: (lines) => {
      marked ||= lines.size > 0; // without its gutter, the code would move when the first key is typed
      view.dispatch({ effects: marks.reconfigure(marked ? insightGutter(lines) : []) });
    },
    destroy: () => {
      clearTimeout(resting);
      view.destroy();
    },
  };
}

/** What the server has found, where it stands now. */
function errors(state: EditorState): Diagnostic[] {
  const found: Diagnostic[] = [];
  forEachDiagnostic(state, (diagnostic, from, to) => {
    if (diagnostic.severity === 'error') {
      found.push({ ...diagnostic, from, to });
    }
  });
  return found;
}

function diagnostic(state: EditorState, { line, column, message, severity }: Finding): Diagnostic {
  const found = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const from = Math.min(found.from + Math.max(0, column - 1), found.to);
  const word = /^\w+/.exec(state.sliceDoc(from, found.to))?.[0].length ?? 1;
  return { from, to: Math.min(from + word, found.to), severity, message };
}
