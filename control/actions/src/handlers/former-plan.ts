import type { StoreEnv } from './store-env.ts';

/** The plan that machines of a group were given before. */
export interface FormerPlan {
  readonly path: string;
  readonly text: string;
}

/** Reading the plans of more groups than these would take longer than what is learned from it is worth. */
const MOST_PLANS = 200;

/** The newest plan of each group, by the folder of plans: read once for all groups. */
const known = new WeakMap<StoreEnv['store'], Map<string, Promise<ReadonlyMap<string, FormerPlan>>>>();

/** The newest stored plan of the group that a new plan is for. Undefined where there is none, or where there are too many plans. */
export async function formerPlan(
  env: StoreEnv,
  path: string,
  content: string,
  signal: AbortSignal | undefined,
): Promise<FormerPlan | undefined> {
  const [folder] = /^(?:node|worker)-plans(?=\/)/.exec(path) ?? [];
  const group = folder === undefined ? undefined : groupOf(content);
  if (folder === undefined || group === undefined) return undefined;
  const ofStore = known.get(env.store) ?? new Map<string, Promise<ReadonlyMap<string, FormerPlan>>>();
  known.set(env.store, ofStore);
  const key = `${env.cluster}/${folder}`;
  const plans = ofStore.get(key) ?? newestPlans(env, folder, signal);
  ofStore.set(key, plans);
  return (await plans).get(group);
}

async function newestPlans(env: StoreEnv, folder: string, signal: AbortSignal | undefined) {
  const entries = await env.store.list(`${env.cluster}/${folder}`, signal);
  const newest = new Map<string, FormerPlan>();
  if (entries.length > MOST_PLANS) return newest;
  for (const { path } of entries.toSorted((a, b) => b.modifiedMs - a.modifiedMs)) {
    const stored = await env.store.read(path, signal);
    const text = stored === undefined ? '' : new TextDecoder().decode(stored.bytes);
    const group = groupOf(text);
    if (group !== undefined && !newest.has(group)) newest.set(group, { path, text });
  }
  return newest;
}

/** Our own serialisation of a plan names its group; other files in the folder are none. */
const groupOf = (text: string): string | undefined => /"instanceGroup":\s*"([^"]+)"/.exec(text)?.[1];

/** A plan as people compare it: a field on each line, and texts of files with lines of their own. */
export function readablePlan(text: string): string {
  try {
    const pretty = JSON.stringify(JSON.parse(text) as unknown, null, 2);
    return `${pretty.replaceAll(String.raw`\n`, '\n')}\n`;
  } catch {
    return text;
  }
}
