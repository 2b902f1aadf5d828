import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { formatFieldError, type FieldError } from '@kopsctl/spec/field-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';
import { faultsOfChange, writeStoredObject, type StoredObject, type WrittenObject } from '../store/stored-object.ts';

/** Opens a file for a person and returns when they are done with it. */
export type OpenEditor = (file: string) => Promise<void>;

const INTRODUCTION = [
  '# Edit this object. Lines that begin with # at the top are dropped, an empty file abandons the edit.',
  '# What you save is checked; if something is wrong with it, this file is opened again and says what.',
];

/** An editor may be a script that never gets it right. */
const MAX_ROUNDS = 50;

/**
 * Lets a person edit a stored object until it is valid, then writes it over exactly what was read. Whatever goes wrong,
 * what they wrote is kept: the error names the file.
 *
 * @param dryRun the same without writing it
 */
export async function editByHand(
  store: StateStore,
  stored: StoredObject,
  openEditor: OpenEditor,
  dryRun = false,
): Promise<WrittenObject> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-edit-'));
  const file = join(folder, `${stored.value.metadata.name}.yaml`);
  let [text, faults]: [string, readonly FieldError[]] = [stored.text, []];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await writeFile(file, withComments(text, faults), { mode: 0o600 });
    await keepingFile(file, () => openEditor(file));
    const edited = await readFile(file, 'utf8');
    const plain = withoutComments(edited);
    if (plain.trim() === '' || plain === stored.text) {
      await rm(folder, { recursive: true });
      return { outcome: 'unchanged', patch: '' };
    }
    // A person who saves the same faults again has given up.
    if (faults.length > 0 && plain === text) throw abandoned(file, stored, faults);
    const checked = await check(store, stored, edited, file);
    if ('value' in checked) {
      const written = await keepingFile(file, () => writeStoredObject(store, stored, checked.value, dryRun));
      await rm(dirname(file), { recursive: true });
      return written;
    }
    [text, faults] = [plain, checked.faults];
  }
  throw abandoned(file, stored, faults);
}

type Checked = { readonly value: Cluster | InstanceGroup } | { readonly faults: readonly FieldError[] };

async function check(store: StateStore, stored: StoredObject, text: string, file: string): Promise<Checked> {
  const { objects, additional, errors } = parseObjects(text, file);
  if (errors.length > 0) return { faults: errors };
  const [object, ...others] = objects;
  const { kind, metadata } = stored.value;
  const one = (path: string, message: string): Checked => ({
    faults: [{ ...object?.positionOf(path), path, message }],
  });
  if (object === undefined || others.length + additional.length > 0) {
    return one('', `the file has to hold one object, the ${kind} ${metadata.name}`);
  }
  if (object.kind !== 'Cluster' && object.kind !== 'InstanceGroup') return one('kind', `the kind is ${kind}`);
  if (object.kind !== kind) return one('kind', `the kind cannot be changed, it is ${kind}`);
  if (object.name !== metadata.name) {
    return one('metadata.name', `the name cannot be changed, it is ${metadata.name}`);
  }
  const faults = await faultsOfChange(store, stored, object.value, [object]);
  return faults.length > 0 ? { faults } : { value: object.value };
}

function withComments(text: string, faults: readonly FieldError[]): string {
  const told = faults.map(({ file: _, line: __, column: ___, ...fault }) => `#   ${formatFieldError(fault)}`);
  const head = told.length === 0 ? INTRODUCTION : [...INTRODUCTION, '#', '# This is wrong:', ...told];
  return `${head.join('\n')}\n${text}`;
}

const withoutComments = (text: string): string => text.replace(/^(#.*\n)+/, '');

/** Does what may fail; the error then says where the person's text is. */
async function keepingFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ActionableError({
      what: 'finish the edit',
      why: messageOf(error),
      next: `what you wrote is in ${file}; edit again, or store it with \`kopsctl replace -f ${file}\``,
      cause: error,
    });
  }
}

function abandoned(file: string, { path, value }: StoredObject, faults: readonly FieldError[]): InvalidSpecError {
  return new InvalidSpecError(`store ${path} (what you wrote is kept in ${file})`, faults, [value.kind]);
}
