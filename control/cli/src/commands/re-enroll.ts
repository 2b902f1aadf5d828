import { reEnrollNode } from '@kopsctl/actions/re-enroll-node.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeErr, writeOut } from '../output/terminal.ts';

export interface ReEnrollOptions {
  readonly unrevoke?: boolean;
  readonly yes?: boolean;
}

/** Shows which machine would be permitted another key; with --yes it is permitted. */
export async function reEnroll(
  global: GlobalOptions,
  node: string,
  { unrevoke = false, yes = false }: ReEnrollOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { outcome, instanceId, instanceGroup, unrevoked } = await reEnrollNode(actionContext(global, env), {
    node,
    unrevoke,
    yes,
  });
  const isDone = outcome === 'permitted';
  if (unrevoked !== undefined) {
    writeOut(`${isDone ? 'Undid' : 'Would undo'} the revocation of ${unrevoked}\n`);
  }
  writeOut(
    `${isDone ? 'Permitted' : 'Would permit'} ${node} (instance ${instanceId}, group ${instanceGroup}) another key, once\n`,
  );
  writeErr(
    isDone
      ? 'The machine gets it at its next attestation, with evidence from its cloud; until then its present key stays valid\n'
      : 'nothing was changed; add --yes to do it\n',
  );
  return 0;
}
