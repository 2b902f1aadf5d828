import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { asRecord } from './kube/json.ts';

const STRINGS = ['cluster', 'cloud', 'stateStore', 'role', 'nodeName', 'address'] as const;

/** Reads the configuration that nodeup wrote. */
export async function readConfig(path: string): Promise<ProtokubeConfig> {
  try {
    // nodeup writes it from the plan, whose type is the same; what would break us early is looked at here.
    const config: ProtokubeConfig = JSON.parse(await readFile(path, 'utf8'));
    const fields = asRecord(config);
    const missing = [
      ...STRINGS.filter((name) => typeof fields[name] !== 'string' || fields[name] === ''),
      ...(['volumes', 'hosts'] as const).filter((name) => !Array.isArray(fields[name])),
    ];
    if (missing.length > 0) throw new Error(`it lacks ${missing.join(', ')}`);
    return config;
  } catch (error) {
    throw new ActionableError({
      what: `read the configuration ${path}`,
      why: messageOf(error),
      next: 'run `nodeup`, which writes it from the node plan',
      cause: error,
    });
  }
}
