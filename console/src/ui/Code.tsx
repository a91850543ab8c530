import { useEffect, useRef } from 'preact/hooks';
import type { CompletionSource } from '@codemirror/autocomplete';
import type { LineMark } from './editor/insight';
import type { KnownLanguage } from './editor/members';
import type { Editor, Finding } from './editor/mount';

export interface CodeProps {
  doc: string;
  label: string;
  language: 'javascript' | 'json' | 'text';
  changed?: (doc: string) => void;
  save?: () => void;
  run?: () => void;
  readOnly?: boolean;
  findings?: Finding[];
  marks?: Map<number, LineMark>;
  complete?: CompletionSource;
  /** Marks other members while the code is typed. */
  known?: KnownLanguage;
  /** Lines that are shown at least. */
  lines?: number;
}

/** A code editor. It is loaded when the first one is shown: most pages do without. */
export function Code(props: CodeProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let gone = false;
    void import('./editor/mount').then(({ mount }) => {
      if (gone || host.current === null) {
        return;
      }
      const now = latest.current;
      editor.current = mount(host.current, {
        doc: now.doc,
        label: now.label,
        language: now.language,
        readOnly: now.readOnly === true,
        changed: (doc) => latest.current.changed?.(doc),
        save: () => latest.current.save?.(),
        run: now.run === undefined ? undefined : () => latest.current.run?.(),
        complete: now.complete,
        known: now.known,
      });
      editor.current.find(now.findings ?? []);
      editor.current.mark(now.marks ?? new Map());
    });
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [props.readOnly, props.language]);
  useEffect(() => editor.current?.set(props.doc), [props.doc]);
  useEffect(() => editor.current?.find(props.findings ?? []), [props.findings]);
  useEffect(() => editor.current?.mark(props.marks ?? new Map()), [props.marks]);
  return <div ref={host} class="code card" style={{ minHeight: `${(props.lines ?? 12) * 20 + 18}px` }} />;
}
