import { readFileSync, writeFileSync } from 'node:fs';
import { KINDS } from '@kopsctl/spec/kinds.ts';
import { isExcepted, READ_ELSEWHERE } from './read-elsewhere.ts';
import { schemaLeaves, type SchemaLeaf } from './schema-leaves.ts';
import { type Verdict, walkField, type WalkedKind } from './walk-field.ts';
import { WRITTEN_CLUSTERS } from './written-clusters.ts';

/** What was found of the fields in one cloud. */
export interface Walked {
  /** Fields that do nothing without a word, and those of which this walk knows no value that works. */
  readonly silent: readonly string[];
  /** Exceptions that are none: the field does something, or is gone. */
  readonly stale: readonly string[];
  /** All fields that do not act, with the message that refuses them. */
  readonly quiet: string;
}

/**
 * Sets each field of both objects alone.
 *
 * @param every walks only one part of this many: another one each day, or the one that KOPSCTL_FIELDS_DAY names
 */
export async function walkCloud(cloud: keyof typeof WRITTEN_CLUSTERS, every = 1): Promise<Walked> {
  const verdicts = new Map<string, Verdict>();
  const day = Number(process.env['KOPSCTL_FIELDS_DAY'] ?? Math.floor(Date.now() / DAY_MS));
  if (every > 1) process.stdout.write(`fields of ${cloud}: KOPSCTL_FIELDS_DAY=${day} walks the same ones again\n`);
  for (const kind of ['Cluster', 'InstanceGroup'] satisfies readonly WalkedKind[]) {
    for (const leaf of partOf(schemaLeaves(KINDS[kind].fields.spec, 'spec'), every, day)) {
      // It chooses what is walked.
      if (leaf.path === 'spec.cloudProvider') continue;
      if (!new RegExp(FIELD).test(`${kind} ${leaf.path}`)) continue;
      verdicts.set(`${kind} ${leaf.path}`, await walkField(WRITTEN_CLUSTERS[cloud], kind, leaf, every === 1));
    }
  }
  const isSilent = (verdict: Verdict | undefined): boolean => /^(nothing|unsuited|broken)/.test(verdict ?? '');
  return {
    silent: [...verdicts]
      .filter(([path, verdict]) => verdict.startsWith('broken') || (isSilent(verdict) && !isExcepted(path, cloud)))
      .map(([path, verdict]) => `${path} ${verdict}`),
    stale: Object.keys(READ_ELSEWHERE).filter(
      (path) =>
        isExcepted(path, cloud) &&
        ((every === 1 && FIELD === '') || verdicts.has(path)) &&
        !isSilent(verdicts.get(path)),
    ),
    quiet: [...verdicts]
      .filter(([, verdict]) => verdict !== 'acts')
      .map(([path, verdict]) => `${path} ${verdict.split('\n')[0]}\n`)
      .join(''),
  };
}

/** Which fields alone are walked, by a regular expression. */
const FIELD = process.env['FIELD'] ?? '';

const DAY_MS = 86_400_000;

/** Each day walks some of the fields of an object with more than this, so that no day has much more to do than another. */
const MANY = 20;

/** Objects with all their fields, which share what is made without any of them. */
function partOf(leaves: readonly SchemaLeaf[], every: number, day: number): readonly SchemaLeaf[] {
  const objects = [...Map.groupBy(leaves, ({ path }) => path.slice(0, path.lastIndexOf('.'))).values()];
  const part = day % every;
  const chosen = new Set(
    objects.flatMap((fields, index) =>
      fields.length > MANY ? fields.filter((_, at) => at % every === part) : index % every === part ? fields : [],
    ),
  );
  return leaves.filter((leaf) => chosen.has(leaf));
}

/** The recorded list of what does not act, of the fields that were walked; UPDATE=1 writes it again after a whole walk. */
export function recorded(cloud: string, now: string, every = 1): string {
  const file = new URL(`testdata/${cloud}.txt`, import.meta.url);
  if (process.env['UPDATE'] === '1' && every === 1 && FIELD === '') writeFileSync(file, now);
  const lines = readFileSync(file, 'utf8').split('\n');
  const walked = new Set(now.split('\n'));
  return lines.filter((line) => (every === 1 && FIELD === '') || walked.has(line)).join('\n');
}
