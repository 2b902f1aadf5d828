import { readFileSync, writeFileSync } from 'node:fs';
import { KINDS } from '@kopsctl/spec/kinds.ts';
import { isExcepted, READ_ELSEWHERE } from './read-elsewhere.ts';
import { schemaLeaves } from './schema-leaves.ts';
import { type Verdict, walkField, type WalkedKind } from './walk-field.ts';
import { WRITTEN_CLUSTERS } from './written-clusters.ts';

/** What was found of the fields in one cloud. */
export interface Walked {
  /** Fields that do nothing without a word, and those of which this walk knows no value that works. */
  readonly silent: readonly string[];
  /** Exceptions that are none: the field does something, or is gone. */
  readonly stale: readonly string[];
  /** All that does not act, with the words of whoever refuses it. */
  readonly quiet: string;
}

/**
 * Sets each field of both objects alone.
 *
 * @param every walks only each such field, from the first one on
 */
export async function walkCloud(cloud: keyof typeof WRITTEN_CLUSTERS, every = 1): Promise<Walked> {
  const verdicts = new Map<string, Verdict>();
  for (const kind of ['Cluster', 'InstanceGroup'] satisfies readonly WalkedKind[]) {
    const leaves = schemaLeaves(KINDS[kind].fields.spec, 'spec').filter((_, index) => index % every === 0);
    for (const leaf of leaves) {
      if (!new RegExp(process.env['FIELD'] ?? '').test(`${kind} ${leaf.path}`)) continue;
      verdicts.set(`${kind} ${leaf.path}`, await walkField(WRITTEN_CLUSTERS[cloud], kind, leaf));
    }
  }
  const isSilent = (verdict: Verdict | undefined): boolean => /^(nothing|broken)/.test(verdict ?? '');
  return {
    silent: [...verdicts]
      .filter(([path, verdict]) => isSilent(verdict) && !isExcepted(path, cloud))
      .map(([path, verdict]) => `${path} ${verdict}`),
    stale: Object.keys(READ_ELSEWHERE).filter(
      (path) => isExcepted(path, cloud) && (every === 1 || verdicts.has(path)) && !isSilent(verdicts.get(path)),
    ),
    quiet: [...verdicts]
      .filter(([, verdict]) => verdict !== 'acts')
      .map(([path, verdict]) => `${path} ${verdict.split('\n')[0]}\n`)
      .join(''),
  };
}

/** The recorded list of what does not act, of the fields that were walked; UPDATE=1 writes it again after a whole walk. */
export function recorded(cloud: string, now: string, every = 1): string {
  const file = new URL(`testdata/${cloud}.txt`, import.meta.url);
  if (process.env['UPDATE'] === '1' && every === 1) writeFileSync(file, now);
  const lines = readFileSync(file, 'utf8').split('\n');
  const walked = new Set(now.split('\n'));
  return lines.filter((line) => every === 1 || walked.has(line)).join('\n');
}
