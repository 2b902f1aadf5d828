import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import type { DriftedTask, NodeDrift } from '@kopsctl/node-plan/drift-report.ts';

/** The annotation of a Node is read with every list of Nodes. */
const MAX_TASKS = 10;
const MAX_TEXT = 160;

const short = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** The part of nodeup's report that the cluster gets. @throws if it is not a report */
export function toldDrift(report: string): NodeDrift {
  const from = new FieldReader(JSON.parse(report));
  const differences = from.objects('differences', (one): DriftedTask => ({
    task: short(one.text('task')),
    what: short(one.text('what')),
    outcome: one.word('outcome', ['reported', 'held', 'failed', 'unknown']),
    ...one.optional('why', (name) => short(one.text(name))),
  }));
  const drift: NodeDrift = {
    checkedAt: from.text('checkedAt'),
    planHash: from.text('planHash'),
    differences: differences.slice(0, MAX_TASKS),
    ...(differences.length > MAX_TASKS && { more: differences.length - MAX_TASKS }),
    ...from.optional('repaired', (name) =>
      from.object(name, (one) => ({ at: one.text('at'), tasks: one.texts('tasks').slice(0, MAX_TASKS).map(short) })),
    ),
  };
  from.refuseFaults();
  return drift;
}
