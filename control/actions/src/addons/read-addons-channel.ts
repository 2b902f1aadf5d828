import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';
import { z } from 'zod';

/** An addon as a channel lists it. */
export interface ChannelAddon {
  readonly name: string;
  readonly id: string;
  readonly manifestHash: string;
  /** Relative to the channel, or a URL. */
  readonly manifest: string;
  /** A range, where the entry is only for some versions of Kubernetes. */
  readonly kubernetesVersion?: string | undefined;
}

export interface AddonsChannel {
  readonly addons: readonly ChannelAddon[];
  /** Reads the manifest of one of them. */
  readonly manifestOf: (addon: ChannelAddon, signal: AbortSignal) => Promise<Buffer>;
}

const schema = z.looseObject({
  kind: z.literal('Addons'),
  spec: z.looseObject({
    addons: z.array(
      z.looseObject({
        name: z.string(),
        id: z.string().default(''),
        manifest: z.string(),
        manifestHash: z.string().default(''),
        kubernetesVersion: z.string().optional(),
      }),
    ),
  }),
});

/** Reads a channel of addons from its URL in a state store of any kind. */
export async function readAddonsChannel(
  url: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<AddonsChannel> {
  const { store, path } = await openPlace(url, env);
  // Every scalar as a text: YAML would read a hash of digits as a number.
  const { data, error } = schema.safeParse(
    parse((await read(store, path, url, signal)).toString(), { schema: 'failsafe' }),
  );
  if (data === undefined) {
    throw new ActionableError({
      what: `read the channel ${url}`,
      why: error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`).join('; '),
      next: 'name a channel of addons, such as STATE-STORE/CLUSTER/addons/bootstrap-channel.yaml',
    });
  }
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  return {
    addons: data.spec.addons,
    manifestOf: async ({ manifest }, until) => {
      if (!/^[a-z0-9]+:\/\//.test(manifest)) return read(store, `${folder}${manifest}`, manifest, until);
      const place = await openPlace(manifest, env);
      return read(place.store, place.path, manifest, until);
    },
  };
}

/** The store that holds a URL, and the path in it: its last two folders are enough for manifests beside a channel. */
async function openPlace(url: string, env: NodeJS.ProcessEnv): Promise<{ store: StateStore; path: string }> {
  const [, root, path] = /^([a-z0-9]+:\/\/\/?[^/]+(?:\/[^/]+)*?)\/((?:[^/]+\/){0,2}[^/]+)$/.exec(url) ?? [];
  if (root !== undefined && path !== undefined) return { store: await openStore(root, env), path };
  throw new ActionableError({
    what: `read ${url}`,
    why: 'it is not the URL of a file in a state store',
    next: 'write it like s3://BUCKET/CLUSTER/addons/bootstrap-channel.yaml or file:///…',
    isUsage: true,
  });
}

async function read(store: StateStore, path: string, url: string, signal: AbortSignal): Promise<Buffer> {
  const stored = await store.read(path, signal);
  if (stored !== undefined) return Buffer.from(stored.bytes);
  throw new ActionableError({
    what: `read ${url}`,
    why: `${store.url} does not hold ${path}`,
    next: 'check the address',
  });
}
