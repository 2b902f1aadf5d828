import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import * as z from 'zod';

const tags = z.record(z.string(), z.string());

const networkSchema = z.strictObject({ name: z.string(), cidr: z.string(), tags });
const volumeSchema = z.strictObject({ name: z.string(), zone: z.string(), sizeGiB: z.number(), tags });
const attachmentSchema = z.strictObject({ name: z.string(), machine: z.string() });
/** Stored under the address. */
const addressSchema = z.strictObject({ name: z.string(), machine: z.string() });
const machineSchema = z.strictObject({
  /** Differs from that of any earlier machine, even of one with the same name and address. */
  id: z.string(),
  name: z.string(),
  network: z.string(),
  address: z.string(),
  zone: z.string(),
  instanceGroup: z.string(),
  role: z.enum(['ControlPlane', 'Node', 'APIServer', 'Bastion']),
  machineType: z.string(),
  image: z.string(),
  userData: z.string(),
  running: z.boolean(),
  tags,
});

export type ToyNetwork = z.infer<typeof networkSchema>;
export type ToyVolume = z.infer<typeof volumeSchema>;
export type ToyAttachment = z.infer<typeof attachmentSchema>;
export type ToyAddress = z.infer<typeof addressSchema>;
export type ToyMachine = z.infer<typeof machineSchema>;

/** The things of one kind, each a JSON file under its name. */
export interface ToyThings<Thing> {
  names(): Promise<readonly string[]>;
  list(): Promise<readonly Thing[]>;
  read(name: string): Promise<Thing | undefined>;
  /** Replaces what is there. */
  write(thing: Thing): Promise<void>;
  /** Returns false, and changes nothing, if one of that name is there: of two callers one wins. */
  add(thing: Thing): Promise<boolean>;
  delete(name: string): Promise<void>;
}

/** The toy cloud itself: what a cloud's API is to other clouds. It is a folder, with a folder in it for each kind of thing. */
export interface ToyService {
  readonly networks: ToyThings<ToyNetwork>;
  readonly volumes: ToyThings<ToyVolume>;
  /** By volume, since a volume is attached to one machine at most. */
  readonly attachments: ToyThings<ToyAttachment>;
  readonly addresses: ToyThings<ToyAddress>;
  readonly machines: ToyThings<ToyMachine>;
}

/** Opens the cloud in a folder, which need not be there yet. */
export const openToyService = (folder: string): ToyService => ({
  networks: things(join(folder, 'networks'), (value) => networkSchema.parse(value)),
  volumes: things(join(folder, 'volumes'), (value) => volumeSchema.parse(value)),
  attachments: things(join(folder, 'attachments'), (value) => attachmentSchema.parse(value)),
  addresses: things(join(folder, 'addresses'), (value) => addressSchema.parse(value)),
  machines: things(join(folder, 'machines'), (value) => machineSchema.parse(value)),
});

const SUFFIX = '.json';

/** A lost file is no loss here: the cloud ends with the test. */
const REPLACEMENT = { mode: 0o644, folderMode: 0o755, durable: false, hasManyWriters: true } as const;

function things<Thing extends { readonly name: string }>(
  folder: string,
  parse: (value: unknown) => Thing,
): ToyThings<Thing> {
  const pathOf = (name: string) => join(folder, `${encodeURIComponent(name)}${SUFFIX}`);
  const readFrom = async (path: string): Promise<Thing | undefined> => {
    try {
      return parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    read: (name) => readFrom(pathOf(name)),
    names: () => namesIn(folder),
    async list() {
      const found = await Promise.all((await namesIn(folder)).map((name) => readFrom(pathOf(name))));
      // One that was deleted after the folder was read is gone.
      return found.filter((thing) => thing !== undefined);
    },
    write: (thing) => replaceFile(pathOf(thing.name), JSON.stringify(thing, null, 2), REPLACEMENT),
    async add(thing) {
      await mkdir(folder, { recursive: true });
      const temporary = join(folder, `.${randomUUID()}`);
      await writeFile(temporary, JSON.stringify(thing, null, 2));
      try {
        await link(temporary, pathOf(thing.name));
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(temporary);
      }
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const files = await readdir(folder);
    return files
      .flatMap((file) => (isThing(file) ? [decodeURIComponent(file.slice(0, -SUFFIX.length))] : []))
      .toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Files that begin with a dot are still being written. */
const isThing = (file: string): boolean => file.endsWith(SUFFIX) && !file.startsWith('.');
