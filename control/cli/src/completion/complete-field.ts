import { walkField } from '@kopsctl/spec/describe/walk-fields.ts';
import type { Candidate, WantedField } from './complete.ts';

/**
 * The fields that can complete a path that is being typed. One that has others below it ends with a dot, and one that is
 * to be set with `=`. None below a field that does not exist. Pure.
 */
export function completeField({ before = '', ...wanted }: WantedField, typed: string): readonly Candidate[] {
  return pathsOf(wanted, typed.slice(before.length)).map(({ word, description }) => ({
    word: `${before}${word}`,
    description,
  }));
}

function pathsOf({ kind, isSet }: Omit<WantedField, 'before'>, typed: string): readonly Candidate[] {
  if (typed.includes('=')) return [];
  if (!typed.includes('.')) return 'spec.'.startsWith(typed) ? [{ word: 'spec.', description: '' }] : [];
  const parent = typed.slice(0, typed.lastIndexOf('.'));
  return fieldsBelow(kind, parent).flatMap(({ name, text = '', hasFields }) => {
    const word = `${parent}.${name}`;
    return word.startsWith(typed) ? [{ word: `${word}${hasFields ? '.' : isSet ? '=' : ''}`, description: text }] : [];
  });
}

function fieldsBelow(kind: WantedField['kind'], parent: string) {
  try {
    return walkField(kind, parent).fields.map(({ path, text, type }) => ({
      name: path.slice(path.lastIndexOf('.') + 1),
      text,
      // For a list, the person types the position first.
      hasFields: type === 'object',
    }));
  } catch {
    // The command itself says what is wrong with the path.
    return [];
  }
}
