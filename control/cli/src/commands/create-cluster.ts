import { newCluster } from '@kopsctl/apply/new-cluster.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { flagsOf, type CreateClusterOptions } from '../create-cluster-flags.ts';
import { openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';

interface Options extends CreateClusterOptions {
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
  readonly sshPublicKey?: string;
}

/** Infers a cluster from flags. A dry run prints its objects; otherwise they are stored as new ones. */
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
  const inferred = newCluster(flagsOf(name, options, env), given({ stateStoreUrl: global.state }));
  const sshKey = await sshKeyOf(options.sshPublicKey);
  if (options.dryRun === true) {
    process.stdout.write(await printed(objectsOf(inferred, sshKey?.text), options.output));
    return 0;
  }
  const store = await openStateStore(global);
  const { storeNewCluster } = await import('@kopsctl/apply/store-new-cluster.ts');
  await storeNewCluster(store, inferred, sshKey);
  process.stdout.write(`Created ${name}. Next: kopsctl apply --name ${name} --state ${store.url} --yes\n`);
  return 0;
}

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
