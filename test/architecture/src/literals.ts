import { beginningOf, type Node, textOf } from './syntax.ts';

export const isPattern = (node: Node): boolean =>
  node.type === 'Literal' && typeof node['regex'] === 'object' && node['regex'] !== null;

/** The words that a pattern begins with, of which each may follow an anchor: `aws` and `gce` in `/^(?:aws|gce)-/`. */
const BEGINNING = /^\^?(?:\((?:\?:|\?<\w+>)?([^()]*)|([^(]*))/;

/** The words that a pattern begins with, each with what follows it: `^aws$`, `t2\.`. */
export function beginningsOfPattern(node: Node): readonly string[] {
  const [, inGroup, open] = BEGINNING.exec(String(Reflect.get(Object(node['regex']), 'pattern'))) ?? [];
  return (inGroup ?? open ?? '').split('|');
}

/** The text of a string, or what a template begins with. */
export const textBeginning = (node: Node): string | undefined => textOf(node) ?? beginningOf(node);
