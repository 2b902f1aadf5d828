import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { cannotWrite, isOfTheDisk } from './disk-error.ts';
import { replaceFile } from './replace-file.ts';
import { expectSha256 } from './known-hash.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';
import { unpack } from './unpack.ts';

const schema = z.strictObject({
  assetPath: z.string(),
  /** The SHA-256 of the archive. */
  identity: z.string(),
  into: absolutePath,
  strip: z.int().min(0).optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

/** Written last: the archive counts as unpacked only when the marker holds its hash. */
const markerSchema = z.object({
  identity: z.string(),
  into: z.string(),
  files: z.array(z.object({ path: z.string(), size: z.number() })),
});
type Marker = z.infer<typeof markerSchema>;

interface FoundArchive {
  readonly identity: string;
  /** Files that are gone or have another size. */
  readonly damaged: readonly string[];
}

const markerPath = (root: string, name: string) =>
  join(root, 'var/lib/kops/archives', `${name.replaceAll('/', '_')}.json`);

async function readMarker(path: string): Promise<Marker | undefined> {
  try {
    return markerSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    // Missing, cut short by a power failure, or not a marker: unpacking again is always right.
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** An unpacked archive. */
export const archiveHandler: Handler<NodeEnv, Props, FoundArchive> = {
  kind: 'Archive',
  concurrency: 2,
  parse: (props) => schema.parse(props),

  async find(name, props, env) {
    const marker = await readMarker(markerPath(env.root, name));
    if (marker?.into !== props.into) return undefined;
    const sizes = await Promise.all(
      marker.files.map(async ({ path }) => (await stat(join(env.root, props.into, path)).catch(() => undefined))?.size),
    );
    const damaged = marker.files.filter(({ size }, index) => sizes[index] !== size).map(({ path }) => path);
    return { identity: marker.identity, damaged };
  },

  plan(name, props, actual): readonly Step[] {
    if (actual?.identity !== props.identity)
      return [{ action: 'unpack', summary: `unpack ${name} into ${props.into}` }];
    if (actual.damaged.length > 0) {
      const files = actual.damaged.join(', ');
      return [{ action: 'unpack', summary: `unpack ${name} into ${props.into} again: ${files} missing or changed` }];
    }
    return [];
  },

  async apply(_step, name, props, env, signal) {
    const into = join(env.root, props.into);
    await expectSha256(env, props.assetPath, props.identity, signal);
    const files = await unpack(join(env.root, props.assetPath), into, props.strip ?? 0, signal).catch(
      (error: unknown) => {
        throw isOfTheDisk(error) ? cannotWrite(`${into}/`, error) : error;
      },
    );
    const marker: Marker = { identity: props.identity, into: props.into, files: [...files] };
    await replaceFile(markerPath(env.root, name), new TextEncoder().encode(JSON.stringify(marker)), 0o644, undefined);
  },
};
