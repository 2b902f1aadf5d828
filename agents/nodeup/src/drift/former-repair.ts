import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import type { DriftReport } from '@kopsctl/node-plan/drift-report.ts';

/**
 * The last repair that the report of the check before tells of, if the machine had the same plan then. A broken report tells
 * of none: it is replaced in a moment. Pure.
 */
export function formerRepair(report: string, planHash: string): DriftReport['repaired'] {
  const from = new FieldReader(parsed(report));
  const { repaired } = from.optional('repaired', (name) =>
    from.object(name, (one) => ({ at: one.text('at'), tasks: one.texts('tasks') })),
  );
  return from.text('planHash') === planHash && from.faults.length === 0 ? repaired : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
