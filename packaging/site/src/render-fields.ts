import { defaultValues } from '@kopsctl/actions/default-values.ts';
import { escapeHtml } from '@kopsctl/cli/output/escape-html.ts';
import type { FieldDefaults } from '@kopsctl/spec/describe/field-defaults.ts';
import { type DescribedField, walkField } from '@kopsctl/spec/describe/walk-fields.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';

/** A page of every field of a kind, with the texts and the defaults of its schema. */
export function renderFields(kind: Kind): string {
  const rows = fieldsBelow(kind, '', defaultValues(kind)).map(
    (field) =>
      `<tr id="${escapeHtml(field.path)}"><td><code>${escapeHtml(field.path)}</code></td>` +
      `<td>${escapeHtml(field.type)}</td><td>${meaningOf(field)}</td></tr>`,
  );
  return (
    `<h1>Fields of ${kind}</h1>\n<p><code>kopsctl explain ${kind.toLowerCase()}.FIELD</code> prints the same.</p>\n` +
    `<table>\n<tr><th>Field</th><th>Type</th><th>Meaning</th></tr>\n${rows.join('\n')}\n</table>\n`
  );
}

function meaningOf({ text = '', words, default: value }: DescribedField): string {
  const choice = words === undefined ? '' : ` One of: ${escapeHtml(words.join(', '))}.`;
  const standard = value === undefined ? '' : ` By default <code>${escapeHtml(JSON.stringify(value))}</code>.`;
  return `${escapeHtml(text)}${choice}${standard}`;
}

function fieldsBelow(kind: Kind, path: string, defaults: FieldDefaults): readonly DescribedField[] {
  const { fields } = walkField(kind, path, { defaults });
  return fields.flatMap((field) => [field, ...fieldsBelow(kind, field.path, defaults)]);
}
