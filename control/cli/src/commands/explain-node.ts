import { type ExplainedNode, explainNode as explain } from '@kopsctl/actions/explain-node.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { usageError } from '../flags/usage-error.ts';
import { withState } from '../output/next-command.ts';
import { printedValue } from '../output/print-objects.ts';
import { paintExplanation } from '../output/paint.ts';
import { writeDocument, writePainted } from '../output/terminal.ts';
import type { ExplainOptions } from '../flags/explain-options.ts';

/** Says why a node is not Ready, and what to do. */
export async function explainNode(
  global: GlobalOptions,
  node: string | undefined,
  { output }: { readonly output: ExplainOptions['output'] },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (node === undefined) {
    throw usageError({
      what: 'explain a node',
      why: 'no node is named',
      next: 'name one, as `kopsctl get nodes` does: `kopsctl explain node NODE`',
    });
  }
  const explained = await explain(actionContext(global, env), node);
  if (output !== 'text') writeDocument(await printedValue(explained, output));
  else writePainted(explanationText(explained, global.stateFlag), paintExplanation);
  return 0;
}

function explanationText({ evidence, group, findings }: ExplainedNode, stateFlag: string | undefined): string {
  const { node } = evidence;
  const lines = findings.flatMap(({ what, because, next }) => [
    what,
    ...because.map((line) => `  ${line}`),
    `  Next: ${withState(next.replaceAll('NODE', node), stateFlag)}`,
  ]);
  const nothing = 'objects' in evidence && findings.length === 0 ? [`nothing is wrong with ${node}`] : [];
  const subject =
    group === undefined
      ? `Node ${node}: ${stateOf(evidence)}`
      : `InstanceGroup ${node}: ${group.found} of ${group.wanted ?? 0} machines`;
  return [subject, ...nothing, ...lines, ''].join('\n');
}

function stateOf({ machine, report, objects }: ExplainedNode['evidence']): string {
  const parts = [
    machine === undefined
      ? 'no machine'
      : 'failure' in machine
        ? `cloud: ${machine.failure}`
        : `machine ${machine.state}`,
    report === undefined
      ? 'no boot report'
      : 'unreadable' in report
        ? 'boot report unreadable'
        : `boot ${report.result}`,
    'failure' in objects
      ? 'API not reached'
      : objects.node === undefined
        ? 'no Node'
        : readiness(objects.node.conditions),
  ];
  return parts.join(', ');
}

const readiness = (conditions: readonly { readonly type: string; readonly status: string }[]): string =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True') ? 'Ready' : 'NotReady';
