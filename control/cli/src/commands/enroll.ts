import { enrollMachine } from '@kopsctl/actions/enroll-machine.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeErr, writeOut } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

export interface EnrollOptions {
  readonly cluster?: string;
  readonly instanceGroup: string;
  readonly host: string;
  readonly address?: string;
  readonly sshUser: string;
  readonly sshPort: number;
  readonly apiServer?: string;
  readonly useKubeconfig?: boolean;
  readonly podCidr?: readonly string[];
  readonly buildHost?: boolean;
}

/** Flags of kops that ask for what is done in another way here. @throws ActionableError where leaving them out is not the same */
function refuseOtherWays({ podCidr, buildHost, apiServer, useKubeconfig }: EnrollOptions): void {
  if (podCidr !== undefined) {
    throw usageError({
      what: `give the machine the pod range ${podCidr.join(', ')}`,
      why: 'kube-controller-manager or Cilium assigns the pod range of each Node from the range of the cluster (spec.podCIDR)',
      next: 'leave --pod-cidr out, and make the ranges of the cluster large enough',
    });
  }
  if (buildHost === true) {
    throw usageError({
      what: 'build a Host object',
      why: 'a machine is recorded when it is enrolled, together with the key that it proves itself with',
      next: 'leave --build-host out: `kopsctl get nodes` shows the machine then',
    });
  }
  if (apiServer !== undefined || useKubeconfig === true) {
    writeErr('Note: no API server is asked: the machine is recorded in the state store\n');
  }
}

/** Makes a machine that no cloud lists a member of a cluster. */
export async function enroll(
  global: GlobalOptions,
  argument: string | undefined,
  options: EnrollOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  refuseOtherWays(options);
  const { cluster = argument, sshUser: user, sshPort: port, host, address: at, instanceGroup: of } = options;
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const machine = { host, instanceGroup: of, ...(at !== undefined && { address: at }) };
  const enrolled = await enrollMachine(context, { ...machine, cluster, user, port });
  const { node, address, instanceGroup, goodUntil } = enrolled;
  writeOut(`Enrolled ${node} (address ${address}, group ${instanceGroup}) in ${enrolled.cluster}\n`);
  if (goodUntil !== undefined) {
    writeErr(`A control plane calls it on port 3987; it may prove itself for the first time until ${goodUntil}\n`);
  }
  writeErr(`Next: \`${nextCommand(global, ['get', 'nodes', '--name', enrolled.cluster])}\` shows how it boots\n`);
  return 0;
}
