import type { ValidatedCluster } from '@kopsctl/actions/validate-cluster.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { paintValidation } from './paint.ts';
import { printed } from './print-objects.ts';
import { writeDocument, writeErr, writePainted, writeProblem } from './terminal.ts';
import { validationDocument, validationText } from './validation-document.ts';

/** Prints what is wrong with a cluster, and returns the exit code: as in kops, 2 where something is. */
export async function printValidated(found: ValidatedCluster, output: OutputOptions['output']): Promise<number> {
  const document = validationDocument(found);
  if (output === 'table') {
    writePainted(validationText(document), paintValidation);
    for (const { type, name, message } of document.warnings) writeErr(`Warning: ${type} ${name}: ${message}\n`);
  } else writeDocument(await printed([document], output, { single: true }));
  if (found.isStopped === true) {
    writeProblem({ message: `stopped before the cluster ${found.cluster} was valid`, details: { exitCode: 1 } });
    return 1;
  }
  return document.valid ? 0 : 2;
}
