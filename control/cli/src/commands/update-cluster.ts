import { readCluster } from '@kopsctl/apply/cluster-store.ts';
import { completeAndValidate } from '@kopsctl/apply/complete.ts';
import { parseDuration } from '@kopsctl/apply/duration.ts';
import { parseLifecycles, type Phase } from '@kopsctl/apply/lifecycle.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { modelOf } from '@kopsctl/apply/model-of.ts';
import { renderTerraform } from '@kopsctl/apply/terraform/render-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { interruption } from '../interruption.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { apply, type ApplyOptions } from './apply.ts';

export interface UpdateOptions extends Omit<ApplyOptions, 'filename' | 'out' | 'wait'> {
  readonly target: 'direct' | 'terraform';
  readonly out: string;
  readonly offline?: boolean;
  readonly phase?: Phase;
  readonly lifecycleOverrides?: readonly string[];
  readonly maxTaskDuration?: string;
}

/** Makes a stored cluster true, or writes it down for a tool that does. */
export async function updateCluster(
  global: GlobalOptions,
  argument: string | undefined,
  options: UpdateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const name = await chooseCluster(global, argument, store);
  const overrides = (options.lifecycleOverrides ?? []).flatMap((text) => text.split(','));
  const lifecycles = parseLifecycles(overrides);
  if (options.target === 'direct') {
    const { yes, prune, exitCode, output, assets } = options;
    return apply(
      { ...global, name },
      undefined,
      {
        output,
        wait: false,
        ...(yes === undefined ? {} : { yes }),
        ...(prune === undefined ? {} : { prune }),
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(assets === undefined ? {} : { assets }),
        ...(options.phase === undefined ? {} : { phase: options.phase }),
        lifecycles,
        ...(options.maxTaskDuration === undefined
          ? {}
          : { maxTaskDurationMs: parseDuration(options.maxTaskDuration, '--max-task-duration') }),
      },
      env,
    );
  }
  const { cluster, instanceGroups } = await readCluster(store, name);
  const completed = completeAndValidate(cluster, instanceGroups, store.url);
  const { assetsDir } = localSettings(env, options.assets);
  const tasks = await modelOf({ store, completed, assetsDir });
  const result = await renderTerraform({
    store,
    cluster: completed.cluster,
    tasks,
    out: options.out,
    ...(options.phase === undefined ? {} : { phase: options.phase }),
    signal: interruption(),
  });
  if (result.failed > 0 || result.cancelled) {
    process.stdout.write(renderPlan(result));
    return 1;
  }
  process.stderr.write(
    `Terraform is written to ${options.out}. Next:\n  cd ${options.out}\n  terraform init\n  terraform plan\n  terraform apply\n`,
  );
  return 0;
}
