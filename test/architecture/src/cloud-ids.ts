import { parseSync } from 'oxc-parser';
import type { CloudBranch } from './cloud-branch.ts';
import { beginningsOfPattern, isPattern, textBeginning } from './literals.ts';
import { type Node, walk } from './syntax.ts';

/** What ids of one cloud begin with. A common word, such as that of `subnet-1` or `i-1`, says nothing. */
const IDS = '(?:ami|eipalloc|eigw|igw|pcx|pl|rtb|sg|tgw|vpc)-|arn:';
// `v1.` is how a version begins.
const TYPES = String.raw`[a-uw-z]\d[a-z]{0,3}\.(?:\d*x?large$|micro$|medium$|small$|$)`;
const BEGINNINGS = new RegExp(`^(?:${IDS}|${TYPES})`);
const ANYWHERE = new RegExp(String.raw`\b(?:${IDS}|[a-uw-z]\d[a-z]{0,3}\\?\.)`);

/**
 * Finds ids of one cloud and types of its machines, or what these begin with, in strings, templates and patterns. Texts for
 * persons are none.
 */
export function cloudIds(path: string, text: string): readonly CloudBranch[] {
  // Most files have none, and parsing is what takes time.
  if (!ANYWHERE.test(text)) return [];
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const found: CloudBranch[] = [];
  walk(program, (node) => {
    const cloud = idIn(node);
    if (cloud === undefined) return;
    const form = isPattern(node) ? 'pattern of ids' : 'id of a cloud';
    found.push({ line: text.slice(0, node.start).split('\n').length, cloud, form });
  });
  return found;
}

function idIn(node: Node): string | undefined {
  if (isPattern(node)) {
    return beginningsOfPattern(node)
      .map((one) => one.replaceAll(/[\\^]/g, ''))
      .find((one) => BEGINNINGS.test(one));
  }
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return undefined;
  const one = textBeginning(node) ?? '';
  return BEGINNINGS.test(one) && !/\s/.test(one) ? one : undefined;
}
