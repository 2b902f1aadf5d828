import { Document, Scalar, Schema, type ScalarTag, type Tags } from 'yaml';
import { foldLines } from './fold-lines.ts';

/** With the kinds of YAML 1.1, which Go's YAML knows as well. */
const SCHEMA = new Schema({
  schema: 'core',
  compat: 'yaml-1.1',
  sortMapEntries: true,
  customTags: (tags) => tags.map((tag) => (isTextTag(tag) ? quotingMistakable(tag) : tag)),
});

/** What plain words look like that are read as a number, a boolean, a date and so on. */
const NO_TEXTS = [...SCHEMA.tags, ...(SCHEMA.compat ?? [])].flatMap((tag) =>
  tag.default === true && 'test' in tag && tag.test !== undefined ? [tag.test] : [],
);

/**
 * Prints an object as kops does: keys sorted, lists not indented, long strings folded, and words that Go's YAML would not
 * read as strings (yes, on, 012) in double quotes.
 */
export function printObject(value: unknown): string {
  const document = new Document(value, { schema: SCHEMA, aliasDuplicateObjects: false });
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

function isTextTag(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str';
}

/** The tag of texts, which writes those in double quotes that would be read as something else. */
function quotingMistakable(text: ScalarTag): ScalarTag {
  return {
    ...text,
    stringify(item, ...more) {
      const { value } = item;
      if (typeof value === 'string' && NO_TEXTS.some((test) => test.test(value))) item.type = Scalar.QUOTE_DOUBLE;
      return text.stringify?.(item, ...more) ?? String(value);
    },
  };
}
