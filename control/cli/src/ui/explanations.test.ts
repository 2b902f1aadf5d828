import type { ExplainedNode } from '@kopsctl/actions/explain-node.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { expect, test } from 'vitest';
import { explanationMemory, explanations } from './explanations.ts';
import { html } from './html.ts';

const CONTEXT = { name: 'demo', signal: AbortSignal.timeout(5_000) } as ActionContext;
const node = (name: string, status: string) => ({ node: name, status });

test('nodes that are not Ready are explained, and no others; what cannot be asked is an answer', async () => {
  const asked: string[] = [];
  const explain = async (_: ActionContext, name: string): Promise<ExplainedNode> => {
    asked.push(name);
    if (name === 'b') throw new Error('no credentials');
    const finding = { what: 'a <disk> is full', because: ['ENOSPC'], next: 'delete NODE' };
    return { findings: [finding] } as unknown as ExplainedNode;
  };
  const nodes = [node('ok', 'Ready'), node('a', 'NotReady'), node('b', 'no Node'), node('c', 'off'), node('d', 'off')];
  const world = { nowMs: 0 };
  const memory = explanationMemory(() => world.nowMs);
  const { markup } = html`${await explanations(CONTEXT, nodes, memory, explain)}`;
  expect(asked).toEqual(['a', 'b', 'c']);
  for (const said of ['a &lt;disk&gt; is full', 'ENOSPC', 'delete a', 'no credentials', 'explain node</code>: d']) {
    expect(markup).toContain(said);
  }

  // A page looks every two seconds.
  await explanations(CONTEXT, nodes, memory, explain);
  expect(asked).toEqual(['a', 'b', 'c']);
  world.nowMs += 31_000;
  await explanations(CONTEXT, nodes, memory, explain);
  expect(asked).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('nothing is asked while all nodes are Ready', async () => {
  const explain = async (): Promise<ExplainedNode> => {
    throw new Error('nobody should ask');
  };
  expect(
    await explanations(
      CONTEXT,
      [node('ok', 'Ready')],
      explanationMemory(() => 0),
      explain,
    ),
  ).toEqual([]);
});
