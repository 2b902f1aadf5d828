import { endNodeLaunch } from '@kopsctl/clouds/node.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import type { NodeEnv } from '@kopsctl/node-handlers/node-env.ts';
import { renderPlanJson } from '@kopsctl/tasks/plan-json.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { run, type RunInput } from '@kopsctl/tasks/run.ts';
import { adoptPlan } from './adopt-plan.ts';
import { checkMachine } from './drift/check-machine.ts';
import { keepPlan } from './fetch-plan.ts';
import { logEvent } from './log-event.ts';
import { machineFacts } from './machine-facts.ts';
import { openPlan } from './open-plan.ts';
import type { Options } from './options.ts';
import { keepRefusals } from './refusals.ts';
import { Reporter } from './report.ts';

/** Carries out this machine's plan, with --check compares the machine with it, or with --dry-run prints it. Resolves with the exit code. */
export async function start(options: Options, env: NodeJS.ProcessEnv, log: Log, signal: AbortSignal): Promise<number> {
  if (options.adopts !== undefined) {
    await adoptPlan(options, options.adopts, env, log, signal);
    return 0;
  }
  const { boot, plan, bytes, facts, store, nodeEnv, input } = await openPlan(options, env, log, signal);
  const { root } = options;
  const { planHash } = boot;
  if (options.isDryRun) return dryRun(input, options);
  if (options.isCheck) {
    const { repairs } = options;
    await checkMachine(input, { node: facts.nodeName, planHash, repairs, root, nowMs: () => Date.now(), log });
    return 0;
  }

  // A full disk must not end the boot here: the tasks that it stops report it.
  await keepPlan(root, bytes).catch((error: unknown) => {
    log.warn('plan not saved: a boot without the state store will fail', { error });
  });
  const reporter = new Reporter({
    root,
    cluster: boot.cluster,
    node: facts.nodeName,
    planHash,
    // All other machines have an authority that takes their reports.
    store: plan.role === 'ControlPlane' ? store : undefined,
    machine: machineFacts(signal),
    log,
  });
  const result = await run({
    ...input,
    mode: 'apply',
    onEvent: (event) => {
      logEvent(log, event);
      reporter.add(event);
    },
  });
  await keepRefusals(root, nodeEnv.refused).catch((error: unknown) => {
    log.warn('what this host refused is not saved: a check will report it as drift', { error });
  });
  await reporter.finish();
  if (result.cancelled) return 1;
  const isDone = result.failed === 0 && result.tasks.every((task) => task.result !== 'skipped');
  if (isDone && plan.launchHook !== undefined) await endNodeLaunch(boot.cloud, plan.launchHook, env, signal);
  return isDone ? 0 : 1;
}

async function dryRun(input: Omit<RunInput<NodeEnv>, 'mode'>, options: Options): Promise<number> {
  const result = await run({ ...input, mode: 'plan' });
  process.stdout.write(options.output === 'json' ? renderPlanJson(result) : renderPlan(result));
  if (result.failed > 0) return 1;
  return result.changed > 0 && options.exitCode ? 2 : 0;
}
