import { parseDuration } from '../flags/duration.ts';
import type { OtherTool } from '@kopsctl/actions/phases/write-for-tool.ts';
import { updateCluster } from '@kopsctl/actions/update-cluster.ts';
import type { Phase } from '@kopsctl/model/lifecycle.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { PlanFormat } from '../output/print-plan-document.ts';
import { kubeconfigWish, type KubeconfigOptions } from '../flags/kubeconfig-flags.ts';
import { roleOf } from '../flags/machine-role.ts';
import { usageError } from '../flags/usage-error.ts';
import { printApplied } from '../output/print-applied.ts';
import { printPlanned } from '../output/print-planned.ts';
import { printWritten } from '../output/print-written.ts';
import { writeErr } from '../output/terminal.ts';

export interface UpdateOptions extends KubeconfigOptions {
  readonly yes?: boolean;
  readonly prune?: boolean;
  readonly exitCode?: boolean;
  readonly output: PlanFormat;
  readonly assets?: string;
  readonly target: 'direct' | 'dryrun' | 'terraform' | 'cloudformation';
  readonly out?: string;
  readonly offline?: boolean;
  readonly phase?: Phase;
  readonly lifecycleOverrides?: readonly string[];
  readonly maxTaskDuration?: string;
  readonly instanceGroup?: readonly string[];
  readonly instanceGroupRoles?: readonly string[];
  readonly ignoreKubeletVersionSkew?: boolean;
  readonly createKubeConfig?: boolean;
  readonly sshPublicKey?: string;
  readonly allowKopsDowngrade?: boolean;
  readonly useKubeconfig?: boolean;
}

/** Applies a stored cluster, or writes it down for a tool that makes it. */
export async function update(
  global: GlobalOptions,
  cluster: string | undefined,
  options: UpdateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { prune = false, out, offline = false, assets, phase, lifecycleOverrides = [], maxTaskDuration } = options;
  // As in kops, a dry run stays a dry run whatever else is said.
  const isDryRun = options.target === 'dryrun';
  const target = options.target === 'dryrun' ? 'direct' : options.target;
  const yes = !isDryRun && options.yes === true;
  if (target !== 'direct') refuseForTool(target, options);
  else if (offline) refuseOffline();
  const startedMs = Date.now();
  if (options.useKubeconfig === true) {
    writeErr(
      'Note: --use-kubeconfig has no effect: where the API of the cluster is asked, its cloud says where that is\n',
    );
  }
  const scope = {
    prune,
    lifecycleOverrides: lifecycleOverrides.flatMap((text) => text.split(',')),
    ...(phase !== undefined && { phase }),
    // Otherwise it depends on the kind of the task.
    ...(maxTaskDuration !== undefined && {
      maxTaskDurationMs: parseDuration(maxTaskDuration, '--max-task-duration'),
    }),
  };
  const kubeconfig = options.createKubeConfig === false ? undefined : kubeconfigWish(options);
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const updated = await updateCluster(context, {
    cluster,
    target,
    yes,
    out,
    scope,
    assets,
    offline,
    roles: options.instanceGroupRoles?.map((text) => roleOf(text)),
    instanceGroups: options.instanceGroup,
    ignoresSkew: options.ignoreKubeletVersionSkew,
    kubeconfig,
    sshPublicKeyFile: options.sshPublicKey,
    allowsDowngrade: options.allowKopsDowngrade ?? false,
  });
  switch (updated.kind) {
    case 'planned':
      return printPlanned(global, updated.planned, { output: options.output, exitCode: options.exitCode });
    case 'applied':
      return printApplied(global, updated.applied, {
        startedMs,
        output: options.output,
        kubeconfig: updated.kubeconfig,
      });
    case 'written':
      return printWritten(updated.cluster, updated.written, { output: options.output, kubeconfig: updated.kubeconfig });
  }
}

/** Another tool decides what is removed, and whether anything is to be changed. */
function refuseForTool(target: OtherTool, { prune = false, exitCode = false }: UpdateOptions): void {
  if (!prune && !exitCode) return;
  const plans =
    target === 'terraform' ? 'terraform plan -detailed-exitcode' : 'aws cloudformation deploy --no-execute-changeset';
  throw usageError({
    what: `write files for ${target}`,
    why: prune
      ? `--prune removes what is no longer wanted, which ${target} does by itself`
      : `--exit-code tells whether changes are pending, which only ${target} knows`,
    next: prune ? 'leave --prune out' : `leave --exit-code out; \`${plans}\` tells it`,
  });
}

/** What is there already is known to the cloud alone. */
function refuseOffline(): never {
  throw usageError({
    what: 'compare the cluster with its cloud',
    why: '--offline forbids asking the cloud',
    next: 'leave --offline out, or write files for another tool with --target terraform or cloudformation',
  });
}
