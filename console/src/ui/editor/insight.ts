import { gutter, GutterMarker } from '@codemirror/view';
import type { Extension } from '@codemirror/state';

/** What is shown next to a line. */
export interface LineMark {
  shown: string;
  title: string;
  failing: boolean;
}

class Marker extends GutterMarker {
  constructor(private readonly mark: LineMark) {
    super();
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof Marker && other.mark.shown === this.mark.shown && other.mark.title === this.mark.title;
  }

  override toDOM(): Node {
    const element = document.createElement('div');
    element.className = this.mark.failing ? 'cm-insight failing' : 'cm-insight';
    element.textContent = this.mark.shown;
    element.title = this.mark.title;
    return element;
  }
}

export function insightGutter(lines: Map<number, LineMark>): Extension {
  return gutter({
    class: 'cm-insights',
    lineMarker: (view, block) => {
      const mark = lines.get(view.state.doc.lineAt(block.from).number);
      return mark === undefined ? null : new Marker(mark);
    },
  });
}
