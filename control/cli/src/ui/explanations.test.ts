import type { ExplainedNode } from '@kopsctl/actions/explain-node.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { expect, test } from 'vitest';
import { explanationMemory, explanations } from './explanations.ts';
import { html } from './html.ts';

const CONTEXT = { name: 'demo', signal: AbortSignal.timeout(5_000) } as ActionContext;
const node = (name: string, status: string, role = 'Node') => ({ node: name, role, status });
/** What is under way and waits for nothing ends meanwhile. */
const inAMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
  const look = (): string => html`${explanations(CONTEXT, nodes, memory, explain)}`.markup;
  expect(look()).toContain('asking why');
  await inAMoment();
  const markup = look();
  expect(asked).toEqual(['a', 'b', 'c']);
  for (const said of ['a &lt;disk&gt; is full', 'ENOSPC', 'delete a', 'no credentials', 'explain node</code>: d']) {
    expect(markup).toContain(said);
  }

  world.nowMs += 31_000;
  expect(look()).toBe(markup);
  expect(asked).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('no page waits for an explanation, and none is asked for twice at once', async () => {
  let asked = 0;
  const gone = new AbortController();
  const explain = async ({ signal }: ActionContext): Promise<ExplainedNode> => {
    asked += 1;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  };
  const memory = explanationMemory(() => 0);
  const look = (signal: AbortSignal): string =>
    html`${explanations({ ...CONTEXT, signal }, [node('a', 'NotReady')], memory, explain)}`.markup;
  expect(look(gone.signal)).toContain('asking why');
  look(CONTEXT.signal);
  expect(asked).toBe(1);
  // The browser that asked goes: another one asks.
  gone.abort();
  await inAMoment();
  look(CONTEXT.signal);
  expect(asked).toBe(2);
});

test('nothing is asked while all nodes are Ready, nor about bastions', () => {
  const explain = async (): Promise<ExplainedNode> => {
    throw new Error('nobody should ask');
  };
  expect(
    explanations(
      CONTEXT,
      [node('ok', 'Ready'), node('bastion', 'no Node', 'Bastion')],
      explanationMemory(() => 0),
      explain,
    ),
  ).toEqual([]);
});
