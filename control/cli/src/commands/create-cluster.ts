import { createCluster } from '@kopsctl/actions/create-cluster.ts';
import { actionContext } from '../context.ts';
import { usageError } from '../flags/usage-error.ts';
import { type CreateClusterOptions, flagsOf } from '../flags/create-cluster-flags.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument, writeErr } from '../output/terminal.ts';

export interface CreateOptions extends CreateClusterOptions {
  readonly yes?: boolean;
  readonly offline?: boolean;
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
  readonly sshPublicKey?: string;
  readonly target?: 'direct' | 'terraform' | 'cloudformation' | 'dryrun';
  readonly out?: string;
  readonly assets?: string;
}

/** Infers a cluster from flags. It is shown, or stored as a new one; with --yes it is made as well. */
export async function create(
  global: GlobalOptions,
  argument: string | undefined,
  options: CreateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const startedMs = Date.now();
  const { yes = false, offline = false, dryRun = false, target, out, assets } = options;
  const flags = flagsOf(nameOf(global, argument), options);
  for (const role of ['etcd', 'scheduler', 'kcm'].filter((one) => options[`${one}Count`] !== undefined)) {
    writeErr(`Note: --${role}-count has no effect: control planes run it\n`);
  }
  const request = { flags, sshPublicKeyFile: options.sshPublicKey, dryRun, yes, offline, target, out, assets };
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: !dryRun });
  const created = await createCluster(context, request);
  if (created.kind === 'shown') {
    const { printed } = await import('../output/print-objects.ts');
    writeDocument(await printed(created.objects, options.output));
    return 0;
  }
  const { printCreated } = await import('../output/print-created.ts');
  return printCreated(global, created, startedMs);
}

function nameOf(global: GlobalOptions, argument: string | undefined): string {
  const name = argument ?? global.name;
  if (name !== undefined) return name;
  throw usageError({
    what: 'create a cluster',
    why: 'it has no name',
    next: 'name it: `kopsctl create cluster NAME`, e.g. demo.example.com',
  });
}
