import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { SshLogin } from '@kopsctl/actions/dump/journals-by-ssh.ts';
import { dumpCluster } from '@kopsctl/actions/dump-cluster.ts';
import { getMachines } from '@kopsctl/actions/get-machines.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../flags/duration.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { wordOfRole } from '../flags/machine-role.ts';
import { printedValue } from '../output/print-objects.ts';
import { writeErr, writeOut } from '../output/terminal.ts';
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
  const ssh = await sshLoginOf(options);
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  if (output !== undefined) {
    const instances = cloudResources ? (await getMachines(context, cluster)).map(instanceOf) : undefined;
    writeOut(await printedValue({ ...(instances !== undefined && { instances }) }, output));
    if (dir === undefined) return 0;
  }
  const parts = { withoutObjects: !k8sResources, withoutMachines: !cloudResources };
  const dumped = await dumpCluster(context, { cluster, dir, maxMachines: maxNodes, ssh, ...parts });
  const failed = dumped.files.filter((path) => path.endsWith('.failed.txt'));
  const say = output === undefined ? writeOut : writeErr;
  say(`Wrote ${dumped.files.length} files on ${dumped.cluster} to ${dumped.dir}, without its secrets\n`);
  for (const path of failed) say(`not gathered, as ${dumped.dir}/${path} says\n`);
  return 0;
}

/** How to log in to machines, where a flag asks for their journals. @throws ActionableError if the key cannot be read */
async function sshLoginOf({ privateKey, sshUser, nodeDumpTimeout }: DumpOptions): Promise<SshLogin | undefined> {
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
  if (privateKey === undefined) return { user, withinMs };
  const keyFile = privateKey.replace(/^~(?=\/)/, homedir());
  try {
    await access(keyFile, constants.R_OK);
  } catch (cause) {
    throw new ActionableError({
      what: `read the private key ${privateKey}`,
      why: messageOf(cause),
      next: 'name the file of the key with --private-key; without it, the keys of your SSH agent are used',
      cause,
    });
  }
  return { user, keyFile, withinMs };
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
