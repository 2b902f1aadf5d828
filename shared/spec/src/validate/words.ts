import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { nearestName } from '../nearest-name.ts';
import { valuesAt } from '../values-at.ts';
import { fault, type Fault } from './fault.ts';

/**
 * The words that a field may hold, by its path, in which `[]` stands for each item of a list. They are not a part of the
 * schema: a stored spec with another word can still be read, shown and edited.
 */
export interface WordTable {
  readonly cluster: Readonly<Record<string, readonly string[]>>;
  readonly group: Readonly<Record<string, readonly string[]>>;
}

/** The words of a field for which an empty text is the same as no value. */
export const orEmpty = (...words: readonly string[]): readonly string[] => ['', ...words];

/** Reports each word that its field does not have. */
export function* unknownWords(cluster: Cluster, groups: readonly InstanceGroup[], table: WordTable): Iterable<Fault> {
  yield* unknownIn(cluster, table.cluster);
  for (const group of groups) {
    for (const one of unknownIn(group, table.group)) yield { ...one, instanceGroup: group.metadata.name };
  }
}

function* unknownIn(object: object, table: Readonly<Record<string, readonly string[]>>): Iterable<Fault> {
  for (const [field, words] of Object.entries(table)) {
    for (const { path, value } of valuesAt(object, field)) {
      if (typeof value !== 'string' || words.includes(value)) continue;
      const choices = words.filter((word) => word !== '');
      const near = nearestName(value, choices);
      const message =
        choices.length === 1
          ? `expected ${choices.join('')}, found '${value}'`
          : `expected one of ${choices.join(', ')}, found '${value}'`;
      yield fault(path, message, near === undefined ? undefined : `did you mean ${near}?`);
    }
  }
}
