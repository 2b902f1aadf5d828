import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { sortedJson } from '@kopsctl/tasks/sorted-json.ts';
import type { Json } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { StorePlace } from './store-place.ts';
import type { BootConfig, PlanThroughAuthority } from './node-plan.ts';
import { OTHER_PLANS, WORKER_PLANS } from './plan-hash.ts';

/** Where the user-data puts it; no user-data of kops names it. */
export const BOOT_CONFIG_PATH = '/etc/kops/boot.json';

/** Stands for the name of the API's load balancer in user-data that is written before there is one. */
export const API_LOAD_BALANCER = '@@API_LOAD_BALANCER@@';

/** Stands for the certificates of the authorities' CA (base64 of PEM) in user-data that is written before there are any. */
export const AUTHORITY_CA = '@@NODE_AUTHORITY_CA@@';

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
    faults.push(`${field}: expected a string, found ${found === undefined ? 'nothing' : JSON.stringify(found)}`);
    return '';
  };
  const throughOf = (): PlanThroughAuthority => {
    const found = value['planThroughAuthority'];
    const { port, machineKey } = isRecord(found) ? found : {};
    if (typeof port === 'number' && Number.isInteger(port) && typeof machineKey === 'string')
      return { port, machineKey };
    faults.push(`planThroughAuthority: expected port and machineKey, found ${JSON.stringify(found)}`);
    return { port: 0, machineKey: '' };
  };
  const placesOf = (found: Json): readonly StorePlace[] =>
    (Array.isArray(found) ? found : [found]).map((one) => {
      const { folder, url } = isRecord(one) ? one : {};
      if (typeof folder === 'string' && typeof url === 'string') return { folder, url };
      faults.push(`storePlaces: expected folder and url, found ${JSON.stringify(one)}`);
      return { folder: '', url: '' };
    });
  const config: BootConfig = {
    cloud: textOf('cloud'),
    stateStore: textOf('stateStore'),
    ...(value['storePlaces'] !== undefined && { storePlaces: placesOf(value['storePlaces']) }),
    cluster: textOf('cluster'),
    instanceGroup: textOf('instanceGroup'),
    planFolder: value['planFolder'] === WORKER_PLANS ? WORKER_PLANS : OTHER_PLANS,
    planHash: textOf('planHash'),
    ...(value['apiLoadBalancer'] !== undefined && { apiLoadBalancer: textOf('apiLoadBalancer') }),
    ...(value['planThroughAuthority'] !== undefined && { planThroughAuthority: throughOf() }),
    ...(value['authorityCa'] !== undefined && { authorityCa: textOf('authorityCa') }),
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
    throw broken(where, `it is not JSON (${messageOf(thrown)})`, thrown);
  }
  if (!isRecord(value)) throw broken(where, 'it is not an object');
  return value;
}

function broken(where: string, why: string, cause?: unknown): ActionableError {
  return new ActionableError({
    what: `read the boot configuration ${where}`,
    why,
    next: "it is written by the machine's user-data: run `kopsctl apply --yes`, then replace this machine",
    ...(cause === undefined ? {} : { cause }),
  });
}
