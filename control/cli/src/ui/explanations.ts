import { type ExplainedNode, explainNode } from '@kopsctl/actions/explain-node.ts';
import type { NodeOverview } from '@kopsctl/actions/follow/list-nodes.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { html, type Html } from './html.ts';

/** Each is asked about in its cloud, the store and the API: the cause of the others is likely the same. */
const MAX_EXPLAINED = 3;
/** Pages look every two seconds, and a machine that does not work is asked about in its cloud. */
const GOOD_FOR_MS = 30_000;

/** Explanations of nodes, for pages that ask again and again and do not wait: what does not answer takes many seconds. */
export interface ExplanationMemory {
  /**
   * The newest explanation of a node, undefined before the first. If it is older than half a minute, `explain` begins to make the
   * next one, unless that is under way.
   */
  recall(cluster: string, node: string, explain: () => Promise<Html>): Html | undefined;
}

/** @param nowMs a clock that nobody sets */
export function explanationMemory(nowMs: () => number): ExplanationMemory {
  const known = new Map<string, { readonly madeMs: number; readonly explanation: Html }>();
  const underWay = new Set<string>();
  return {
    recall(cluster, node, explain) {
      const key = `${cluster}/${node}`;
      const last = known.get(key);
      const isGood = last !== undefined && nowMs() - last.madeMs < GOOD_FOR_MS;
      if (isGood || underWay.has(key)) return last?.explanation;
      underWay.add(key);
      explain()
        .then(
          (explanation) => void known.set(key, { madeMs: nowMs(), explanation }),
          // The browser for which it was made has gone. The next look makes another.
          () => undefined,
        )
        .finally(() => underWay.delete(key));
      return last?.explanation;
    },
  };
}

/** Why nodes are not Ready, as `explain node` says it; of the first few. */
export function explanations(
  context: ActionContext,
  nodes: readonly Pick<NodeOverview, 'node' | 'role' | 'status'>[],
  memory: ExplanationMemory,
  explain: typeof explainNode = explainNode,
): readonly Html[] {
  // Bastions have no Node.
  const unwell = nodes.flatMap(({ node, role, status }) =>
    status === 'Ready' || role === 'Bastion' || node === '' ? [] : [node],
  );
  const explained = unwell.slice(0, MAX_EXPLAINED).map((node) => {
    const make = async (): Promise<Html> => findingsOf(node, await orWhyNot(context, node, explain));
    const explanation = memory.recall(context.name ?? '', node, make);
    return html`<h3>${node}</h3>
      ${explanation ?? html`<p class="quiet">asking why it is not Ready …</p>`}`;
  });
  const others = unwell.slice(MAX_EXPLAINED);
  return [
    ...explained,
    ...(others.length === 0
      ? []
      : [html`<p class="quiet">Not Ready either, see <code>kopsctl explain node</code>: ${others.join(', ')}</p>`]),
  ];
}

/** The explanation, or why there is none. */
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

const findingsOf = (node: string, findings: ExplainedNode['findings']): Html =>
  html`<ul>
    ${findings.map(
      ({ what, because, next }) =>
        html`<li class="bad">
          ${what} ${because.map((line) => html`<br /><span class="quiet">${line}</span>`)} <br />Next:
          ${next.replaceAll('NODE', node)}
        </li>`,
    )}
  </ul>`;
