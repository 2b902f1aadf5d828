import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Value } from '@kopsctl/model/go-template/values.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

type Map = { readonly [key: string]: Value };

/** Values laid over others, map by map. */
export function merged(under: Map, over: Map): Map {
  const result: Record<string, Value> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isRecord(below) && isRecord(value) ? merged(below, value) : value;
  }
  return result;
}

/**
 * Values with what `--set a.b=1,c={x,y}` says, as Helm reads it: numbers and booleans are read as such, unless `isText`.
 *
 * @throws ActionableError for what has no `=`
 */
export function withSettings(values: Map, settings: readonly string[], { isText }: { readonly isText: boolean }): Map {
  const pairs = settings.flatMap((text) => text.match(/(?:\{[^}]*\}|\\.|[^,\\])+/g) ?? []);
  return pairs.reduce((all, pair) => {
    const at = pair.indexOf('=');
    if (at <= 0) {
      throw new ActionableError({
        what: `read --set ${pair}`,
        why: 'it has no name and value with = between them',
        next: 'write it like --set name.of.value=1',
        isUsage: true,
      });
    }
    const path = pair.slice(0, at).split('.');
    return merged(all, nested(path, valueOf(pair.slice(at + 1), isText)));
  }, values);
}

const nested = ([first = '', ...rest]: readonly string[], value: Value): Map => ({
  [first]: rest.length === 0 ? value : nested(rest, value),
});

function valueOf(text: string, isText: boolean): Value {
  const [, items] = /^\{(.*)\}$/.exec(text) ?? [];
  if (items !== undefined) return items === '' ? [] : items.split(',').map((item) => valueOf(item, isText));
  const plain = text.replaceAll(/\\(.)/g, '$1');
  if (isText) return plain;
  if (/^-?\d+$/.test(plain)) return Number(plain);
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return plain === 'null' ? null : plain;
}
