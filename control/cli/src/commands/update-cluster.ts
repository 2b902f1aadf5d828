import { readCluster } from '@kopsctl/apply/cluster-store.ts';
import { completeAndValidate } from '@kopsctl/apply/complete.ts';
import { parseDuration } from '@kopsctl/apply/duration.ts';
import { parseLifecycles, type Phase } from '@kopsctl/apply/lifecycle.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { modelOf } from '@kopsctl/apply/model-of.ts';
import { renderCloudFormation } from '@kopsctl/apply/cloudformation/render-cluster.ts';
import { renderTerraform } from '@kopsctl/apply/terraform/render-cluster.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { interruption } from '../interruption.ts';
import { tellLeftOut } from '../left-out.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { apply, type ApplyOptions } from './apply.ts';

export interface UpdateOptions extends Omit<ApplyOptions, 'filename' | 'out' | 'wait'> {
  readonly target: 'direct' | 'terraform' | 'cloudformation';
  readonly out?: string;
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
  tellLeftOut(completed.cluster);
  const { assetsDir } = localSettings(env, options.assets);
  const tasks = await modelOf({ store, completed, assetsDir });
  const out = options.out ?? `out/${options.target}`;
  const request = { store, cluster: completed.cluster, tasks, out, signal: interruption() };
  const result =
    options.target === 'terraform'
      ? await renderTerraform({ ...request, ...(options.phase === undefined ? {} : { phase: options.phase }) })
      : await renderCloudFormation(request);
  if (result.failed > 0 || result.cancelled) {
    process.stdout.write(renderPlan(result));
    return 1;
  }
  process.stderr.write(
    options.target === 'terraform'
      ? `Terraform is written to ${out}. Next:\n  cd ${out}\n  terraform init\n  terraform plan\n  terraform apply\n`
      : `The template is ${out}/kubernetes.json. Next:\n  aws cloudformation deploy --stack-name ${name.replaceAll('.', '-')} --template-file ${out}/kubernetes.json --s3-bucket BUCKET --capabilities CAPABILITY_NAMED_IAM\n`,
  );
  return 0;
}
