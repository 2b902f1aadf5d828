import { Document, Scalar, visit, type Schema } from 'yaml';
import { foldLines } from './fold-lines.ts';

/**
 * Prints an object as kops does: keys sorted, lists not indented, long strings folded, and words that Go's YAML would not
 * read as strings (yes, on, 012) in double quotes.
 */
export function printObject(value: unknown): string {
  const document = new Document(value, {
    compat: 'yaml-1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && isMistakable(node.value, document.schema)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({
    lineWidth: 0,
    indentSeq: false,
    singleQuote: true,
    // In double quotes, a line break is written as \n, regardless of the length of the text, as in kops.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return foldLines(text);
}

/** Prints several objects as one stream of documents. */
export function printObjects(values: readonly unknown[]): string {
  return values.map(printObject).join('\n---\n\n');
}

/** Whether YAML 1.2 or YAML 1.1 would read a plain word as a number, a boolean, a date and so on. */
function isMistakable(word: string, { tags, compat }: Schema): boolean {
  return [...tags, ...(compat ?? [])].some((tag) => tag.default === true && 'test' in tag && tag.test?.test(word));
}
