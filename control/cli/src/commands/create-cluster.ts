import { newCluster } from '@kopsctl/apply/new-cluster.ts';
import type { SshPublicKey } from '@kopsctl/apply/ssh-public-key.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { leftOpen } from '@kopsctl/model/create-cluster/left-open.ts';
import { flagsOf, type CreateClusterOptions } from '../create-cluster-flags.ts';
import { followUpOf, type FollowUpOptions } from '../follow-up.ts';
import { openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';

interface Options extends CreateClusterOptions, FollowUpOptions {
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
  readonly sshPublicKey?: string;
}

/**
 * Infers a cluster from flags. A dry run prints its objects; otherwise they are stored as new ones, and what making them
 * takes is shown, or with --yes done.
 */
export async function createCluster(
  global: GlobalOptions,
  argument: string | undefined,
  options: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const name = argument ?? global.name;
  if (name === undefined) {
    throw new ActionableError({
      what: 'create a cluster',
      why: 'it has no name',
      next: 'name it: `kopsctl create cluster NAME`, e.g. demo.example.com',
    });
  }
  const flags = await withProject(flagsOf(name, options), env);
  const inferred = newCluster(flags, given({ stateStoreUrl: global.state }));
  for (const sentence of [...leftOpen(inferred), ...withoutEffect(options)]) {
    process.stderr.write(`Note: ${sentence}\n`);
  }
  const sshKey = await sshKeyOf(options.sshPublicKey);
  if (options.dryRun === true) {
    process.stdout.write(await printed(objectsOf(inferred, sshKey?.text), options.output));
    return 0;
  }
  return store(inferred, sshKey, { global, options, env });
}

async function store(
  inferred: InferredCluster,
  sshKey: SshPublicKey | undefined,
  { global, options, env }: { global: GlobalOptions; options: Options; env: NodeJS.ProcessEnv },
): Promise<number> {
  const { cluster, instanceGroups } = inferred;
  const { name } = cluster.metadata;
  const stateStore = await openStateStore(global);
  const next = await followUpOf(cluster, stateStore.url, options, env);
  const { storeNewCluster } = await import('@kopsctl/apply/store-new-cluster.ts');
  await storeNewCluster(stateStore, inferred, sshKey);
  process.stdout.write(`Created cluster/${name} and ${instanceGroups.length} instance groups\n`);
  if (next.runs) {
    const { main } = await import('../main.ts');
    const code = await main([...next.argv, ...(next.applies ? ['--yes'] : [])], env);
    if (code !== 0 || next.applies) return code;
  }
  process.stdout.write(
    [
      'Next:',
      `  kopsctl edit cluster ${name}`,
      `  kopsctl edit instancegroup --name ${name} ${instanceGroups.at(-1)?.metadata.name}`,
      `  kopsctl ${next.argv.join(' ')} --yes`,
      '',
    ].join('\n'),
  );
  return 0;
}

/** On GCE the project may be the one that gcloud was told. */
async function withProject(flags: CreateClusterFlags, env: NodeJS.ProcessEnv): Promise<CreateClusterFlags> {
  if (flags.cloud !== 'gce' || flags.project !== undefined) return flags;
  const { gcloudProject } = await import('@kopsctl/apply/gcloud-project.ts');
  return { ...flags, ...given({ project: await gcloudProject(env) }) };
}

/** kops's own trials of machines for single components: like kops, we make no groups for them. */
const withoutEffect = (options: Options): readonly string[] =>
  ['etcd', 'scheduler', 'kcm']
    .filter((role) => options[`${role}Count`] !== undefined)
    .map((role) => `--${role}-count has no effect: control planes run it`);

async function sshKeyOf(file: string | undefined) {
  if (file === undefined) return undefined;
  const { readSshPublicKey } = await import('@kopsctl/apply/ssh-public-key.ts');
  return readSshPublicKey(file);
}

function objectsOf({ cluster, instanceGroups }: InferredCluster, sshKey: string | undefined): readonly object[] {
  const name = cluster.metadata.name;
  const credential = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'SSHCredential',
    metadata: { name: 'admin', labels: { 'kops.k8s.io/cluster': name } },
    spec: { publicKey: sshKey?.trim() },
  };
  return [cluster, ...instanceGroups, ...(sshKey === undefined ? [] : [credential])];
}
