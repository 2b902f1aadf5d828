import { taskGraph } from '@kopsctl/actions/graph/task-graph.ts';
import { expect, test } from 'vitest';
import { dotOf } from './dot.ts';
import { mermaidOf } from './mermaid.ts';

const GRAPH = taskGraph('Tasks of "a"', [
  { kind: 'File', name: 'etc/"x"', props: { after: { ref: 'Package/p' } } },
  { kind: 'Package', name: 'p', props: {} },
]);

test('Graphviz gets quoted strings', () => {
  expect(dotOf(GRAPH)).toBe(
    [
      String.raw`digraph "Tasks of \"a\"" {`,
      '  rankdir=LR;',
      '  node [shape=box, fontname="sans-serif", fontsize=10];',
      String.raw`  "Package/p" [label="Package\np"];`,
      String.raw`  "File/etc/\"x\"" [label="File\netc/\"x\""];`,
      String.raw`  "Package/p" -> "File/etc/\"x\"";`,
      '}',
      '',
    ].join('\n'),
  );
});

test('Mermaid gets names without a meaning, and texts as HTML', () => {
  expect(mermaidOf(GRAPH)).toBe(
    [
      '---',
      String.raw`title: "Tasks of \"a\""`,
      '---',
      'flowchart LR',
      '  n0["Package<br>p"]',
      '  n1["File<br>etc/&quot;x&quot;"]',
      '  n0 --> n1',
      '',
    ].join('\n'),
  );
});
