import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { channelPath } from '@kopsctl/model/places.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';
import { z } from 'zod';
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
  const path = `${cluster}/${channelPath({ isOfKops: maker === 'kops' })}`;
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
