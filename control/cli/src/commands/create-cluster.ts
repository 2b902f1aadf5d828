import { newCluster } from '@kopsctl/apply/new-cluster.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { leftOpen } from '@kopsctl/model/create-cluster/left-open.ts';
import { flagsOf, type CreateClusterOptions } from '../create-cluster-flags.ts';
import { openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';

interface Options extends CreateClusterOptions {
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
  readonly sshPublicKey?: string;
  readonly yes?: boolean;
  readonly offline?: boolean;
  readonly target?: 'direct' | 'terraform' | 'cloudformation' | 'dryrun';
  readonly out?: string;
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
  const store = await openStateStore(global);
  const { storeNewCluster } = await import('@kopsctl/apply/store-new-cluster.ts');
  await storeNewCluster(store, inferred, sshKey);
  process.stdout.write(`Created cluster/${name} and ${inferred.instanceGroups.length} instance groups\n`);
  const update = updateCommand(inferred, { ...options, state: store.url });
  const applies = options.yes === true && options.target !== 'dryrun';
  // A preview asks the cloud what is there.
  if (applies || isTextual(options.target) || options.offline !== true) {
    const { main } = await import('../main.ts');
    const code = await main(update, env);
    if (code !== 0 || applies) return code;
  }
  process.stdout.write(
    [
      'Next:',
      `  kopsctl edit cluster ${name}`,
      `  kopsctl edit instancegroup --name ${name} ${inferred.instanceGroups.at(-1)?.metadata.name}`,
      `  kopsctl ${update.join(' ')} --yes`,
      '',
    ].join('\n'),
  );
  return 0;
}

/** What makes the cluster, or shows what that takes: local machines are applied, clouds are updated as with kops. */
function updateCommand(
  { cluster }: InferredCluster,
  { target, out, yes, state }: Options & { readonly state: string },
): readonly string[] {
  const name = cluster.metadata.name;
  const verb = cluster.spec.cloudProvider === 'local' ? ['apply', '--name', name] : ['update', 'cluster', name];
  return [
    ...verb,
    '--state',
    state,
    ...(target !== undefined && isTextual(target) ? ['--target', target] : []),
    ...(out === undefined ? [] : ['--out', out]),
    ...(yes === true && target !== 'dryrun' ? ['--yes'] : []),
  ];
}

const isTextual = (target: Options['target']): boolean => target === 'terraform' || target === 'cloudformation';

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
