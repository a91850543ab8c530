const COLOURS = 6;

/** The class that colours what belongs to a node; the legend and the cell's text name the node as well. */
export function colourOf(node: string | undefined, nodes: string[]): string {
  const index = node === undefined ? -1 : nodes.indexOf(node);
  return index < 0 ? 'none' : `n${index % COLOURS}`;
}
