import { escapeHtml } from '@kopsctl/cli/escape-html.ts';
import { type DescribedField, walkField } from '@kopsctl/spec/describe/walk-fields.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';

/** A page of every field of a kind, with the texts of its schema. */
export function renderFields(kind: Kind): string {
  const rows = fieldsBelow(kind, '').map(
    ({ path, type, text = '', words }) =>
      `<tr id="${escapeHtml(path)}"><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(type)}</td>` +
      `<td>${escapeHtml(text)}${words === undefined ? '' : ` One of: ${escapeHtml(words.join(', '))}.`}</td></tr>`,
  );
  return (
    `<h1>Fields of ${kind}</h1>\n<p><code>kopsctl explain ${kind.toLowerCase()}.FIELD</code> prints the same.</p>\n` +
    `<table>\n<tr><th>Field</th><th>Type</th><th>Meaning</th></tr>\n${rows.join('\n')}\n</table>\n`
  );
}

function fieldsBelow(kind: Kind, path: string): readonly DescribedField[] {
  return walkField(kind, path).fields.flatMap((field) => [field, ...fieldsBelow(kind, field.path)]);
}
