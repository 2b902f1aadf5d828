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

/** Sets each field of both objects alone. */
export async function walkCloud(cloud: keyof typeof WRITTEN_CLUSTERS): Promise<Walked> {
  const verdicts = new Map<string, Verdict>();
  for (const kind of ['Cluster', 'InstanceGroup'] satisfies readonly WalkedKind[]) {
    for (const leaf of schemaLeaves(KINDS[kind].fields.spec, 'spec')) {
      if (!new RegExp(process.env['FIELD'] ?? '').test(`${kind} ${leaf.path}`)) continue;
      verdicts.set(`${kind} ${leaf.path}`, await walkField(WRITTEN_CLUSTERS[cloud], kind, leaf));
    }
  }
  const isSilent = (verdict: Verdict | undefined): boolean => /^(nothing|broken)/.test(verdict ?? '');
  return {
    silent: [...verdicts]
      .filter(([path, verdict]) => isSilent(verdict) && !isExcepted(path, cloud))
      .map(([path, verdict]) => `${path} ${verdict}`),
    stale: Object.keys(READ_ELSEWHERE).filter((path) => isExcepted(path, cloud) && !isSilent(verdicts.get(path))),
    quiet: [...verdicts]
      .filter(([, verdict]) => verdict !== 'acts')
      .map(([path, verdict]) => `${path} ${verdict.split('\n')[0]}\n`)
      .join(''),
  };
}

/** The recorded list of what does not act; UPDATE=1 writes it again. */
export function recorded(cloud: string, now: string): string {
  const file = new URL(`testdata/${cloud}.txt`, import.meta.url);
  if (process.env['UPDATE'] === '1') writeFileSync(file, now);
  return readFileSync(file, 'utf8');
}
