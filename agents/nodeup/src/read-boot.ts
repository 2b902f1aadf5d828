import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { parseBootConfig } from '@kopsctl/node-plan/boot-config.ts';
import type { BootConfig } from '@kopsctl/node-plan/node-plan.ts';

/** The boot configuration of this machine. */
export async function readBoot(path: string): Promise<BootConfig> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ActionableError({
      what: `read the boot configuration ${path}`,
      why: messageOf(error),
      next: "the machine's user-data writes it; name another one with --config",
      cause: error,
    });
  });
  return parseBootConfig(text, path);
}
