import { deleteInstance as remove } from '@kopsctl/actions/delete-instance.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../flags/duration.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printEnd } from '../output/print-rolling.ts';
import { writeErr, writeOut } from '../output/terminal.ts';

export interface DeleteInstanceOptions {
  readonly yes?: boolean;
  readonly cloudonly?: boolean;
  readonly surge?: boolean;
  readonly apiServer?: string;
  readonly useKubeconfig?: boolean;
  readonly failOnDrainError?: boolean;
  readonly failOnValidateError?: boolean;
  readonly drainTimeout: string;
  readonly postDrainDelay: string;
  readonly validationTimeout: string;
  readonly validateCount: number;
}

/** Drains and deletes one machine. Exits with 1 where the cluster is not valid afterwards. */
export async function deleteInstance(
  global: GlobalOptions,
  instance: string,
  options: DeleteInstanceOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const {
    yes = false,
    cloudonly = false,
    surge = true,
    apiServer,
    useKubeconfig,
    failOnDrainError = true,
    failOnValidateError = true,
  } = options;
  const context = actionContext(global, env, { tells: 'everything', endsInOrder: true });
  const { cluster, machine, roll } = await remove(context, {
    instance,
    yes,
    cloudOnly: cloudonly,
    surges: surge,
    choice: { apiServer, usesKubeconfig: useKubeconfig },
    failOnDrainError,
    failOnValidateError,
    drainTimeoutMs: parseDuration(options.drainTimeout, '--drain-timeout'),
    postDrainDelayMs: parseDuration(options.postDrainDelay, '--post-drain-delay'),
    validationTimeoutMs: parseDuration(options.validationTimeout, '--validation-timeout'),
    validateCount: Math.max(1, options.validateCount),
  });
  const shown = `${machine.name} (${machine.role} of ${machine.instanceGroup}${machine.nodeName === '' ? '' : `, node ${machine.nodeName}`})`;
  if (!yes) {
    const how = cloudonly || machine.nodeName === '' ? 'delete' : 'drain and delete';
    writeOut(`Would ${how} ${shown} of ${cluster}. Add --yes to delete it.\n`);
    return 0;
  }
  if (roll !== undefined && roll.state !== 'done') return printEnd(global, cluster, roll);
  writeOut(`Deleted ${shown} of ${cluster}\n`);
  for (const { failure } of roll?.turns ?? []) if (failure !== undefined) writeErr(`Note: ${failure}\n`);
  return 0;
}
