import type { PictureGraph } from '@kopsctl/actions/graph/graph.ts';

/** For Markdown pages that draw Mermaid, as GitHub and GitLab do. */
export function mermaidOf({ title, nodes, edges }: PictureGraph): string {
  // Ids of tasks have characters that have a meaning in Mermaid.
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const nameOf = (id: string) => names.get(id) ?? '';
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    '---',
    'flowchart LR',
    ...nodes.map(({ id, label }) => `  ${nameOf(id)}["${text(label)}"]`),
    ...edges.map(
      ({ from, to, label }) => `  ${nameOf(from)} -->${label === undefined ? '' : `|"${text(label)}"|`} ${nameOf(to)}`,
    ),
    '',
  ].join('\n');
}

const text = (label: string): string =>
  label.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');
