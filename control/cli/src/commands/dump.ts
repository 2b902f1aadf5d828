import type { SshLogin } from '@kopsctl/actions/dump/journals-by-ssh.ts';
import { type DumpedCluster, dumpCluster } from '@kopsctl/actions/dump-cluster.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../flags/duration.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { wordOfRole } from '../flags/machine-role.ts';
import { printedValue } from '../output/print-objects.ts';
import { writeDocument, writeErr, writeOut } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

export interface DumpOptions {
  readonly dir?: string;
  readonly maxNodes: number;
  readonly output?: 'yaml' | 'json';
  readonly privateKey?: string;
  readonly sshUser?: string;
  readonly nodeDumpTimeout: string;
  readonly k8sResources?: boolean;
  readonly cloudResources?: boolean;
}

/** The user of kops's images. */
const SSH_USER = 'ubuntu';

/** Writes a support bundle without secrets, or prints which machines there are, as kops does, with `-o`. */
export async function dump(
  global: GlobalOptions,
  cluster: string | undefined,
  options: DumpOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { dir, maxNodes, output, k8sResources = true, cloudResources = true } = options;
  const dumped = await dumpCluster(actionContext(global, env, { tells: 'changes', endsInOrder: true }), {
    cluster,
    dir,
    maxMachines: maxNodes,
    ssh: sshLoginOf(options),
    listsMachines: output !== undefined,
    withoutBundle: output !== undefined && dir === undefined,
    withoutObjects: !k8sResources,
    withoutMachines: !cloudResources,
  });
  if (output !== undefined) {
    const { machines } = dumped;
    writeDocument(await printedValue(machines === undefined ? {} : { instances: machines.map(instanceOf) }, output));
  }
  if (dumped.bundle !== undefined)
    tellBundle(dumped.cluster, dumped.bundle, output === undefined ? writeOut : writeErr);
  return 0;
}

function tellBundle(
  cluster: string,
  { dir, files }: NonNullable<DumpedCluster['bundle']>,
  say: (text: string) => void,
): void {
  say(`Wrote ${files.length} files on ${cluster} to ${dir}, without its secrets\n`);
  const failed = files.filter((path) => path.endsWith('.failed.txt'));
  for (const path of failed) say(`not gathered, as ${dir}/${path} says\n`);
}

/** How to log in to machines, where a flag asks for their journals. */
function sshLoginOf({ privateKey, sshUser, nodeDumpTimeout }: DumpOptions): SshLogin | undefined {
  const withinMs = parseDuration(nodeDumpTimeout, '--node-dump-timeout');
  if (privateKey === undefined && sshUser === undefined) return undefined;
  const user = sshUser ?? SSH_USER;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(user)) {
    throw usageError({
      what: 'log in to machines',
      why: `--ssh-user is ${JSON.stringify(user)}, which is not the name of a user`,
      next: 'name a user who may use sudo without a password, e.g. --ssh-user ubuntu',
    });
  }
  return { user, keyFile: privateKey, withinMs };
}

/** Under kops's names (pkg/resources/dumpmodel.go). */
const instanceOf = ({ name, role, address, externalAddress, instanceGroup, state }: Machine) => ({
  name,
  roles: [wordOfRole(role)],
  ...(externalAddress !== undefined && { publicAddresses: [externalAddress] }),
  ...(address !== '' && { privateAddresses: [address] }),
  instanceGroup,
  state,
});
