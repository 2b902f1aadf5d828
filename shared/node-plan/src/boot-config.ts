import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { isObject } from '@kopsctl/tasks/references.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Json } from '@kopsctl/tasks/task.ts';
import type { BootConfig } from './node-plan.ts';

/** Where the user-data puts it. */
const BOOT_CONFIG_PATH = '/etc/kops/boot.json';

/** Stands for the name of the API's load balancer in user-data that is written before there is one. */
export const API_LOAD_BALANCER = '@@API_LOAD_BALANCER@@';

/** The text of boot.json; equal configs give equal text. */
export function printBootConfig(config: BootConfig): string {
  return `${sortedJson({ ...config }, 2)}\n`;
}

/** Reads boot.json; unknown fields of newer versions are left out. */
export function parseBootConfig(text: string, where: string = BOOT_CONFIG_PATH): BootConfig {
  const value = parseJson(text, where);
  const faults: string[] = [];
  const textOf = (field: keyof BootConfig): string => {
    const found = value[field];
    if (typeof found === 'string' && found !== '') return found;
    faults.push(`${field}: expected a text, found ${found === undefined ? 'nothing' : JSON.stringify(found)}`);
    return '';
  };
  const config: BootConfig = {
    cloud: textOf('cloud'),
    stateStore: textOf('stateStore'),
    cluster: textOf('cluster'),
    instanceGroup: textOf('instanceGroup'),
    planHash: textOf('planHash'),
    ...(value['apiLoadBalancer'] !== undefined && { apiLoadBalancer: textOf('apiLoadBalancer') }),
  };
  if (config.planHash !== '' && !/^[0-9a-f]{64}$/.test(config.planHash)) {
    faults.push(`planHash: expected 64 hex digits, found "${config.planHash}"`);
  }
  if (faults.length > 0) throw broken(where, faults.join('; '));
  return config;
}

function parseJson(text: string, where: string): { readonly [key: string]: Json } {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw broken(where, `it is no JSON (${messageOf(thrown)})`, thrown);
  }
  if (!isObject(value)) throw broken(where, 'it is no object');
  return value;
}

function broken(where: string, why: string, cause?: unknown): ActionableError {
  return new ActionableError({
    what: `read the boot configuration ${where}`,
    why,
    next: "it is written by the machine's user-data: run `kopsctl apply`, then replace this machine",
    ...(cause === undefined ? {} : { cause }),
  });
}
