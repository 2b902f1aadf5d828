import { revokeNode } from '@kopsctl/actions/revoke-node.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printRevoked } from '../output/print-revoked.ts';

export interface RevokeOptions {
  readonly reason?: string;
  readonly yes?: boolean;
}

/** Shows which machine would be revoked; with --yes it is revoked. */
export async function revoke(
  global: GlobalOptions,
  node: string,
  { reason, yes = false }: RevokeOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return printRevoked(global, await revokeNode(actionContext(global, env), { node, reason, yes }));
}
