import { issueKubectlCredentials } from '@kopsctl/actions/issue-kubectl-credentials.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument } from '../output/terminal.ts';

export interface KubectlAuthOptions {
  readonly cluster?: string;
  readonly apiVersion: 'v1' | 'v1beta1';
}

/** Prints credentials for kubectl. */
export async function kubectlAuth(
  global: GlobalOptions,
  { cluster, apiVersion }: KubectlAuthOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext({ ...global, ...(cluster !== undefined && { name: cluster }) }, env);
  writeDocument(`${JSON.stringify(await issueKubectlCredentials(context, { apiVersion }))}\n`);
  return 0;
}
