import { stringify } from 'yaml';

/**
 * Prints objects as kops does: keys sorted, lists not indented, one document each. Words that Go's YAML
 * would take for something else than a string (yes, on, 012) are quoted.
 */
export function printObject(value: unknown): string {
  return stringify(value, {
    compat: 'yaml-1.1',
    lineWidth: 0,
    indentSeq: false,
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    singleQuote: false,
  });
}

/** Several objects as one text. */
export function printObjects(values: readonly unknown[]): string {
  return values.map(printObject).join('\n---\n\n');
}
