import { parseSync } from 'oxc-parser';
import { isNode, list, type Node, nameOf, parts, textOf, walk } from './syntax.ts';

/** A place where code decides by the name of a cloud. */
export interface CloudBranch {
  readonly line: number;
  readonly cloud: string;
  readonly form: string;
}

/**
 * Finds code that decides by a cloud's name, in any form: a comparison, a case, a list that is searched, an object or a
 * Map keyed by names, an entry taken from one, a type of names. Such code belongs in the cloud's folder, and everything
 * else asks a trait. A name that is only handed on (`{ name: 'local' }`) decides nothing.
 */
export function cloudBranches(path: string, text: string, clouds: readonly string[]): readonly CloudBranch[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const found: CloudBranch[] = [];
  const note = (node: Node, cloud: string, form: string) => {
    found.push({ line: text.slice(0, node.start).split('\n').length, cloud, form });
  };
  walk(program, (node) => {
    for (const { at, form } of decisions(node)) {
      const cloud = cloudIn(at, clouds);
      if (cloud !== undefined) note(at, cloud, form);
    }
    const keys = keysOf(node);
    const names = keys.filter((key) => clouds.includes(key));
    // An object that has mostly clouds' names for keys is a table of clouds; others merely have a field of that name.
    if (names.length > 0 && names.length * 2 > keys.length) note(node, names.join(', '), 'object keyed by names');
  });
  return found;
}

const COMPARISONS = ['===', '!==', '==', '!=', 'in'];
const SEARCHES = ['includes', 'indexOf', 'has', 'get', 'startsWith', 'endsWith', 'match', 'test', 'exec'];

/** The parts of a node that a decision depends on. */
function decisions(node: Node): readonly { readonly at: Node; readonly form: string }[] {
  switch (node.type) {
    case 'BinaryExpression':
      return COMPARISONS.includes(String(node['operator']))
        ? parts(node['left'], node['right']).map((at) => ({ at, form: 'comparison' }))
        : [];
    case 'SwitchCase':
      return parts(node['test']).map((at) => ({ at, form: 'case' }));
    case 'ArrayExpression':
      return parts(...list(node['elements'])).map((at) => ({ at, form: 'list of names' }));
    case 'CallExpression':
      return SEARCHES.includes(calledName(node))
        ? parts(calledOn(node), ...list(node['arguments'])).map((at) => ({ at, form: calledName(node) }))
        : [];
    case 'MemberExpression':
      return node['computed'] === true ? parts(node['property']).map((at) => ({ at, form: 'entry by name' })) : [];
    case 'TSLiteralType':
      return parts(node['literal']).map((at) => ({ at, form: 'type of names' }));
    default:
      return [];
  }
}

/** What a method is called on: the pattern of `/^aws$/.test(name)`. */
const calledOn = ({ callee }: Node): unknown =>
  isNode(callee) && callee.type === 'MemberExpression' ? callee['object'] : undefined;

const calledName = ({ callee }: Node): string =>
  (isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee['property']) : undefined) ?? '';

/** A pattern that is a word, or several to choose from, with or without anchors. */
const WORDS = /^\^?(?:\((?:\?:)?)?([\w-]+(?:\|[\w-]+)*)\)?\$?$/;

/** The cloud that a literal names: a string, a template without expressions, or a pattern of names. */
function cloudIn(node: Node, clouds: readonly string[]): string | undefined {
  if (node.type === 'Literal' && typeof node['regex'] === 'object' && node['regex'] !== null) {
    const [, words = ''] = WORDS.exec(String(Reflect.get(node['regex'], 'pattern'))) ?? [];
    return words.split('|').find((word) => clouds.includes(word));
  }
  const text = textOf(node);
  return clouds.find((cloud) => cloud === text);
}

/** The keys of an object literal. */
function keysOf(node: Node): readonly string[] {
  if (node.type !== 'ObjectExpression') return [];
  return list(node['properties']).map((property) => {
    return (isNode(property) && property['computed'] !== true ? nameOf(property['key']) : undefined) ?? '';
  });
}
