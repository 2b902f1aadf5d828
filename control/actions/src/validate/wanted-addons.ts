import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { channelPath, KOPS_CHANNEL } from '@kopsctl/model/store/places.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';
import * as z from 'zod';
import { readOrigin } from '../store/origin.ts';
import type { WantedAddon } from './plan-addon-drift.ts';

const channelSchema = z.looseObject({
  spec: z.looseObject({
    addons: z
      .array(z.looseObject({ name: z.string(), manifestHash: z.string() }))
      .nullish()
      .transform((addons) => addons ?? []),
  }),
});

/** The addons in the cluster's own channel; none where it has no channel. */
export async function readWantedAddons(
  store: StateStore,
  cluster: string,
  signal?: AbortSignal,
): Promise<readonly WantedAddon[]> {
  const { maker } = await readOrigin(store, cluster, signal);
  if (maker === 'kopsctl') return readChannel(store, `${cluster}/${channelPath({ isOfKops: false })}`, signal);
  const [own, ofKops] = await Promise.all(
    [channelPath({ isOfKops: true }), KOPS_CHANNEL].map((path) => readChannel(store, `${cluster}/${path}`, signal)),
  );
  const hashes = new Map((ofKops ?? []).map(({ name, manifestHash }) => [name, manifestHash]));
  return (own ?? []).map((addon) => {
    const hashOfKops = hashes.get(addon.name);
    return hashOfKops === undefined ? addon : { ...addon, hashOfKops };
  });
}

async function readChannel(
  store: StateStore,
  path: string,
  signal: AbortSignal | undefined,
): Promise<readonly WantedAddon[]> {
  const stored = await store.read(path, signal);
  if (stored === undefined) return [];
  // Every scalar as a string: YAML would read a hash of digits as a number.
  const { data, error } = channelSchema.safeParse(
    parse(new TextDecoder().decode(stored.bytes), { schema: 'failsafe' }),
  );
  if (data !== undefined) return data.spec.addons.map(({ name, manifestHash }) => ({ name, manifestHash }));
  throw new ActionableError({
    what: `read ${path} of ${store.url}`,
    why: error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`).join('; '),
    next: '`kopsctl update cluster --yes` writes it again',
  });
}
