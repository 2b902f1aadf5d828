import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** Reads the configuration of an agent that nodeup wrote. @throws ActionableError if it cannot be read or parsed */
export async function readConfig<Config>(path: string, parse: (text: string) => Config): Promise<Config> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new ActionableError({
      what: `read the configuration ${path}`,
      why: messageOf(error),
      next: 'run `nodeup`, which writes it from the node plan',
      cause: error,
    });
  }
}
