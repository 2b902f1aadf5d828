import type { Log } from '@kopsctl/agent/log.ts';
import { openNodeStore } from '@kopsctl/clouds/node.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { cannotWrite, isOfTheDisk } from '@kopsctl/node-handlers/disk-error.ts';
import { printBootConfig } from '@kopsctl/node-plan/boot-config.ts';
import { inPlace } from '@kopsctl/node-plan/in-place.ts';
import { fetchPlan } from './fetch-plan.ts';
import { openedOnce } from './opened-once.ts';
import type { Options } from './options.ts';
import { readBoot } from './read-boot.ts';

/**
 * Makes this machine's boot configuration pin another plan of its group, if the machine can change to that plan in place.
 * The next run of nodeup carries it out. The caller decides only which plan that is, never what may change: that is decided
 * here once more.
 */
export async function adoptPlan(
  { config, root }: Pick<Options, 'config' | 'root'>,
  adopted: string,
  env: NodeJS.ProcessEnv,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const boot = await readBoot(config);
  if (boot.planHash === adopted) return log.info('plan adopted already', { plan: adopted });
  const store = openedOnce(() => openNodeStore(boot, env, signal));
  const authority = (): never => {
    throw refused(adopted, 'this machine gets its plan from an authority when it boots for the first time');
  };
  const sources = { store, authority };
  const [{ plan: from }, { plan: to }] = [
    await fetchPlan(boot, sources, root, signal),
    await fetchPlan({ ...boot, planHash: adopted }, sources, root, signal),
  ];
  const { faults } = inPlace(from, to);
  if (faults.length > 0) throw refused(adopted, faults.join('; '));
  await pin(config, printBootConfig({ ...boot, planHash: adopted }));
  log.info('plan adopted', { plan: adopted, former: boot.planHash });
}

/** Nothing else writes this file again: cut short by a power failure, no boot after it would have a plan. */
async function pin(config: string, text: string): Promise<void> {
  try {
    await replaceFile(config, text, { mode: 0o644 });
  } catch (error) {
    throw isOfTheDisk(error) ? cannotWrite(config, error) : error;
  }
}

const refused = (adopted: string, why: string): ActionableError =>
  new ActionableError({
    what: `take over the plan ${adopted}`,
    why,
    next: 'let a rolling update replace this machine',
  });
