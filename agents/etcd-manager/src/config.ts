import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdManagerConfig } from '@kopsctl/node-plan/agent-config.ts';

const STRINGS = ['cluster', 'stateStore', 'address'] as const;

/** Reads the configuration that nodeup wrote. */
export async function readConfig(path: string): Promise<EtcdManagerConfig> {
  try {
    // nodeup writes it from the plan, whose type is the same; what would break us early is looked at here.
    const config: EtcdManagerConfig = JSON.parse(await readFile(path, 'utf8'));
    const fields: Readonly<Record<string, unknown>> = { ...config };
    const missing: string[] = STRINGS.filter((name) => typeof fields[name] !== 'string' || fields[name] === '');
    if (!Array.isArray(fields['etcdClusters'])) missing.push('etcdClusters');
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
