import type { PictureGraph } from '@kopsctl/actions/graph/graph.ts';

/** For Graphviz: `kopsctl graph | dot -Tsvg`. */
export function dotOf({ title, nodes, edges }: PictureGraph): string {
  return [
    `digraph ${quoted(title)} {`,
    '  rankdir=LR;',
    '  node [shape=box, fontname="sans-serif", fontsize=10];',
    ...nodes.map(({ id, label }) => `  ${quoted(id)} [label=${quoted(label)}];`),
    ...edges.map(
      ({ from, to, label }) =>
        `  ${quoted(from)} -> ${quoted(to)}${label === undefined ? '' : ` [label=${quoted(label)}]`};`,
    ),
    '}',
    '',
  ].join('\n');
}

/** A string of the DOT language: only quotation marks are escaped in it, and `\n` breaks a line of a label. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`;
