import { planHash } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { adaptPlan } from './adapt-plan.ts';
import type { PublishedFiles } from './published-files.ts';

/** Stores the plan that user-data pins as a container of this computer can carry it out, and pins that. */
export async function adaptBootPlan(userData: string, store: StateStore, files: PublishedFiles): Promise<string> {
  const [cluster, folder, hash] = ['cluster', 'planFolder', 'planHash'].map((field) => fieldIn(userData, field));
  const stored = await store.read(`${cluster}/${folder}/${hash}.json`);
  if (stored === undefined) throw new Error(`the state store has no plan ${hash} in ${folder}`);
  const bytes = Buffer.from(adaptPlan(Buffer.from(stored.bytes).toString('utf8'), (url) => files.sha256Of(url)));
  const adapted = planHash(bytes);
  await store.write(`${cluster}/${folder}/${adapted}.json`, bytes, { ifAbsent: true });
  return userData.replace(hash ?? '', adapted);
}

function fieldIn(userData: string, field: string): string {
  const [, value] = new RegExp(`"${field}": "([^"]+)"`).exec(userData) ?? [];
  if (value === undefined) throw new Error(`the user-data has no ${field}`);
  return value;
}
