import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { isObject } from '@kopsctl/tasks/references.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Json } from '@kopsctl/tasks/task.ts';
import type { BootConfig } from './node-plan.ts';

/** Where the user-data puts it. */
export const BOOT_CONFIG_PATH = '/etc/kops/boot.json';

const FIELDS = [
  'cloud',
  'stateStore',
  'cluster',
  'instanceGroup',
  'planHash',
] as const satisfies readonly (keyof BootConfig)[];

/** The text of boot.json; equal configs give equal text. */
export function printBootConfig(config: BootConfig): string {
  return `${sortedJson({ ...config }, 2)}\n`;
}

/** Reads boot.json; unknown fields of newer versions are left out. */
export function parseBootConfig(text: string, where: string = BOOT_CONFIG_PATH): BootConfig {
  const value = parseJson(text, where);
  const faults = FIELDS.filter((field) => typeof value[field] !== 'string' || value[field] === '').map(
    (field) =>
      `${field}: expected a text, found ${value[field] === undefined ? 'nothing' : JSON.stringify(value[field])}`,
  );
  const planHash = value['planHash'];
  if (typeof planHash === 'string' && planHash !== '' && !/^[0-9a-f]{64}$/.test(planHash)) {
    faults.push(`planHash: expected 64 hex digits, found "${planHash}"`);
  }
  if (faults.length > 0) throw broken(where, faults.join('; '));
  const textOf = (field: keyof BootConfig) => String(value[field]);
  return {
    cloud: textOf('cloud'),
    stateStore: textOf('stateStore'),
    cluster: textOf('cluster'),
    instanceGroup: textOf('instanceGroup'),
    planHash: textOf('planHash'),
  };
}

function parseJson(text: string, where: string): { readonly [key: string]: Json } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
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
