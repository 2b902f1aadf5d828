import { type ExplainedNode, explainNode } from '@kopsctl/actions/explain-node.ts';
import type { NodeOverview } from '@kopsctl/actions/follow/list-nodes.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { html, type Html } from './html.ts';

/** Each is asked about in its cloud, the store and the API: the cause of the others is likely the same. */
const MAX_EXPLAINED = 3;
/** Pages look every two seconds, and a machine that does not work is asked about in its cloud. */
const GOOD_FOR_MS = 30_000;

/** Explanations of nodes, for pages that ask again and again. */
export interface ExplanationMemory {
  /** The explanation of a node, which is made only if the last one is older than half a minute. */
  recall(cluster: string, node: string, explain: () => Promise<Html>): Promise<Html>;
}

/** @param nowMs a clock that nobody sets */
export function explanationMemory(nowMs: () => number): ExplanationMemory {
  const known = new Map<string, { readonly madeMs: number; readonly explanation: Html }>();
  return {
    async recall(cluster, node, explain) {
      const key = `${cluster}/${node}`;
      const before = known.get(key);
      if (before !== undefined && nowMs() - before.madeMs < GOOD_FOR_MS) return before.explanation;
      const explanation = await explain();
      known.set(key, { madeMs: nowMs(), explanation });
      return explanation;
    },
  };
}

/** Why nodes are not Ready, as `explain node` says it; of the first few. */
export async function explanations(
  context: ActionContext,
  nodes: readonly Pick<NodeOverview, 'node' | 'status'>[],
  memory: ExplanationMemory,
  explain: typeof explainNode = explainNode,
): Promise<readonly Html[]> {
  const unwell = nodes.flatMap(({ node, status }) => (status === 'Ready' || node === '' ? [] : [node]));
  const explained = unwell
    .slice(0, MAX_EXPLAINED)
    .map((node) =>
      memory.recall(context.name ?? '', node, async () => explanationOf(node, await orWhyNot(context, node, explain))),
    );
  const others = unwell.slice(MAX_EXPLAINED);
  return [
    ...(await Promise.all(explained)),
    ...(others.length === 0
      ? []
      : [html`<p class="quiet">Not Ready either, see <code>kopsctl explain node</code>: ${others.join(', ')}</p>`]),
  ];
}

/** What cannot be asked is an explanation too. */
async function orWhyNot(
  context: ActionContext,
  node: string,
  explain: typeof explainNode,
): Promise<ExplainedNode['findings']> {
  try {
    return (await explain(context, node)).findings;
  } catch (error) {
    context.signal.throwIfAborted();
    return [{ what: messageOf(error), because: [], next: `\`kopsctl explain node ${node}\`` }];
  }
}

const explanationOf = (node: string, findings: ExplainedNode['findings']): Html =>
  html`<h3>${node}</h3>
    <ul>
      ${findings.map(
        ({ what, because, next }) =>
          html`<li class="bad">
            ${what} ${because.map((line) => html`<br /><span class="quiet">${line}</span>`)} <br />Next:
            ${next.replaceAll('NODE', node)}
          </li>`,
      )}
    </ul>`;
