import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parseConfig } from './parse-config.ts';

/** Reads the configuration that nodeup wrote. */
export async function readConfig(path: string): Promise<ProtokubeConfig> {
  try {
    return parseConfig(await readFile(path, 'utf8'));
  } catch (error) {
    throw new ActionableError({
      what: `read the configuration ${path}`,
      why: messageOf(error),
      next: 'run `nodeup`, which writes it from the node plan',
      cause: error,
    });
  }
}
