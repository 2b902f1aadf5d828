import type { WrittenCluster } from '@kopsctl/actions/phases/write-for-tool.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { printFailedRun } from './print-failed-run.ts';
import { type PlanFormat, printPlanDocument } from './print-plan-document.ts';
import { writeErr, writePlan } from './terminal.ts';

export interface WrittenPrinting {
  /** A document says what was stored at once. */
  readonly output?: PlanFormat;
  /** The file that has the access to the cluster, where it was written. */
  readonly kubeconfig?: string | undefined;
}

/** Says what to do with the files of another tool, and returns the exit code. */
export function printWritten(
  cluster: string,
  { tool, out, result }: WrittenCluster,
  { output = 'text', kubeconfig }: WrittenPrinting = {},
): number {
  if (output !== 'text') printPlanDocument(result, output);
  if (result.failed > 0 || result.cancelled) {
    if (output === 'text') writePlan(renderPlan(result));
    return printFailedRun(result, { message: `not all files for ${tool} could be written`, isTold: true });
  }
  if (kubeconfig !== undefined) writeErr(`kubectl is configured in ${kubeconfig}.\n`);
  writeErr(
    tool === 'terraform'
      ? `Terraform is written to ${out}. Next:\n  cd ${out}\n  terraform init\n  terraform plan\n  terraform apply\n`
      : `The template is ${out}/kubernetes.json. Next:\n  aws cloudformation deploy --stack-name ${cluster.replaceAll('.', '-')} --template-file ${out}/kubernetes.json --s3-bucket BUCKET --capabilities CAPABILITY_NAMED_IAM\n`,
  );
  return 0;
}
