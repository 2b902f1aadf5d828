import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { canonicalDuration, canonicalQuantity } from '@kopsctl/spec/canonical-scalar.ts';
import { isDuration, isInt32, isQuantity } from '@kopsctl/spec/scalar-syntax.ts';
import { plainEnvVar } from '@kopsctl/spec/schema/env-var.ts';
import type { Field } from '@kopsctl/spec/schema/field.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/**
 * Reads a value from the command line as its field specifies. Values are appended to a list, and `KEY=VALUE` is put into a map,
 * as in kops (util/pkg/reflectutils/access.go).
 */
export function readSetting(field: Field, text: string, old: unknown, path: string): unknown {
  const refuse = (expected: string): ActionableError =>
    new ActionableError({
      what: `set ${path}`,
      why: `expected ${expected}, found '${text}'`,
      next: `give it ${expected}`,
      isUsage: true,
    });
  if (typeof field !== 'string') {
    switch (field.type) {
      case 'enum':
        if (!field.words.includes(text)) throw refuse(`one of ${field.words.join(', ')}`);
        return text;
      case 'list':
        return [
          ...(Array.isArray(old) ? (old as unknown[]) : []),
          ...text.split(',').map((item) => readSetting(field.item, item, undefined, path)),
        ];
      case 'map': {
        if (text === '') return old ?? {};
        const [key, value] = cut(text);
        if (key === '') throw refuse('KEY=VALUE');
        return { ...asRecord(old), [key]: readSetting(field.item, value ?? '', undefined, path) };
      }
      case 'object':
        if (field === plainEnvVar && text !== '') return variable(text);
        if (text !== '') throw refuse('the fields of an object, each with a path of its own');
        return old ?? {};
    }
  }
  switch (field) {
    case 'string':
      return text;
    case 'bool':
      // Like Go's strconv.ParseBool.
      if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
      if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
      throw refuse('true or false');
    case 'int':
    case 'int32': {
      const number = Number(text);
      if (!/^[+-]?\d+$/.test(text) || !(field === 'int' ? Number.isSafeInteger(number) : isInt32(number))) {
        throw refuse('a whole number');
      }
      return number;
    }
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw refuse('a number');
      return Number(text);
    case 'quantity':
      if (!isQuantity(text)) throw refuse('a quantity such as 100m or 1Gi');
      return canonicalQuantity(text);
    case 'duration':
      if (!isDuration(text)) throw refuse('a duration such as 30s or 1h30m');
      return canonicalDuration(text);
    case 'int-or-string':
      return /^[+-]?\d+$/.test(text) ? Number(text) : text;
    case 'anything':
      return text;
  }
}

/** A variable of the environment, written as `NAME=VALUE`. */
function variable(text: string): object {
  const [name, value] = cut(text);
  return { name, ...(value !== undefined && { value }) };
}

function cut(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
