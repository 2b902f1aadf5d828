import { type Drawn, drawGraph } from '@kopsctl/actions/draw-graph.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument } from '../output/terminal.ts';

export interface GraphOptions {
  readonly what: 'topology' | 'tasks';
  readonly instanceGroup?: string;
  readonly output: 'dot' | 'mermaid' | 'json';
}

/** Draws a cluster, or the tasks that make it or its machines. */
export async function graph(
  global: GlobalOptions,
  cluster: string | undefined,
  { what, instanceGroup, output }: GraphOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const drawn: Drawn = instanceGroup === undefined ? { kind: what } : { kind: 'node', group: instanceGroup };
  const picture = await drawGraph(actionContext(global, env), { cluster, drawn });
  switch (output) {
    case 'json':
      writeDocument(`${JSON.stringify(picture, null, 2)}\n`);
      return 0;
    case 'mermaid':
      writeDocument((await import('../graph/mermaid.ts')).mermaidOf(picture));
      return 0;
    case 'dot':
      writeDocument((await import('../graph/dot.ts')).dotOf(picture));
      return 0;
  }
}
