import { parseSync } from 'oxc-parser';
import type { CloudBranch } from './cloud-branch.ts';
import { cloudIds } from './cloud-ids.ts';
import { beginningsOfPattern, isPattern, textBeginning } from './literals.ts';
import { isNode, list, type Node, nameOf, parts, walk } from './syntax.ts';

/** Which names there are, and which of them a file may write, in the form in which they are found. */
export interface CloudNames {
  readonly clouds: readonly string[];
  readonly allowed?: readonly string[];
}

/** Returns one line for each name and each id that a file may not write, and for each that it may and does not. */
export function checkCloudNames(path: string, text: string, { clouds, allowed = [] }: CloudNames): readonly string[] {
  const ids = path.startsWith('clouds/') ? [] : cloudIds(path, text);
  const found = [...cloudBranches(path, text, clouds), ...ids];
  return [
    ...found
      .filter(({ cloud }) => !allowed.includes(cloud))
      .map(({ line, cloud, form }) => `${path}:${line} decides by the cloud (${cloud}, ${form}): ask a trait`),
    ...allowed
      .filter((word) => !found.some(({ cloud }) => cloud === word))
      .map((word) => `${path} may name ${word} and does not: take that off the list`),
  ];
}

/**
 * Finds code that decides by a cloud's name, in any form: a comparison, a case, a list that is searched, an object or a
 * Map keyed by names, an entry taken from one, a type of names. Such code belongs in the cloud's folder, and everything
 * else asks a trait. A name that is handed on is found as well, since it is compared elsewhere: a string or pattern that
 * is a name or begins with one (`aws/Vpc`, `aws-kms`). Texts for persons are not, nor are fields that an object or a type
 * merely has: the API has several.
 */
export function cloudBranches(path: string, text: string, clouds: readonly string[]): readonly CloudBranch[] {
  // Most files name no cloud, and parsing is what takes time.
  if (!clouds.some((cloud) => text.includes(cloud))) return [];
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const found = new Map<Node, CloudBranch>();
  const note = (node: Node, cloud: string, form: string) => {
    if (!found.has(node)) found.set(node, { line: text.slice(0, node.start).split('\n').length, cloud, form });
  };
  const noteNames = (nodes: readonly Named[]) => {
    for (const { at, form } of nodes) {
      const cloud = cloudIn(at, clouds);
      if (cloud !== undefined) note(at, cloud, form);
    }
  };
  const tables = tablesIn(program);
  const elsewhere = new Set<Node>();
  walk(program, (node) => {
    noteNames(decisions(node));
    for (const name of fieldsTaken(node)) if (clouds.includes(name)) note(node, `.${name}`, 'entry by name');
    for (const one of parts(node['source'], isKey(node) ? node['key'] : undefined)) elsewhere.add(one);
    const keys = keysOf(node);
    const names = keys.filter((key) => isName(key, clouds));
    // An object that has mostly clouds' names for keys is a table of clouds; others merely have a field of that name.
    if (names.length * 2 > keys.length || (names.length > 0 && tables.has(node))) {
      note(node, names.join(', '), 'object keyed by names');
    }
  });
  // What is part of a decision has been found by then.
  walk(program, (node) => {
    if (elsewhere.has(node)) return;
    if (isPattern(node)) noteNames([{ at: node, form: 'pattern of names' }]);
    else if (node.type === 'Literal' || node.type === 'TemplateLiteral')
      noteNames([{ at: node, form: 'name of a cloud' }]);
  });
  return [...found.values()].toSorted((left, right) => left.line - right.line);
}

interface Named {
  readonly at: Node;
  readonly form: string;
}

const COMPARISONS = ['===', '!==', '==', '!=', 'in'];
const SEARCHES = ['includes', 'indexOf', 'has', 'get', 'startsWith', 'endsWith', 'match', 'test', 'exec'];

/** The parts of a node that a decision depends on. */
function decisions(node: Node): readonly Named[] {
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

/** The fields that a node takes from an object: `b` of `a.b` and of `const { b } = a`. */
function fieldsTaken(node: Node): readonly string[] {
  if (node.type === 'MemberExpression') return node['computed'] === true ? [] : [nameOf(node['property']) ?? ''];
  return node.type === 'ObjectPattern' ? fieldNames(node) : [];
}

/** The keys of an object literal. */
const keysOf = (node: Node): readonly string[] => (node.type === 'ObjectExpression' ? fieldNames(node) : []);

const fieldNames = (node: Node): readonly string[] =>
  list(node['properties']).map(
    (property) => (isNode(property) && isKey(property) ? nameOf(property['key']) : '') ?? '',
  );

/** Whether the key of a node is a name, and nothing that is computed. */
const isKey = (node: Node): boolean => isNode(node['key']) && node['computed'] !== true;

/** Object literals from which an entry is taken by a name that is computed, at once or through a constant of the file. */
function tablesIn(program: unknown): ReadonlySet<Node> {
  const constants = new Map<string, Node>();
  const indexed = new Set<string>();
  const tables = new Set<Node>();
  walk(program, (node) => {
    const object = node.type === 'VariableDeclarator' ? objectIn(node['init']) : undefined;
    const name = nameOf(node['id']);
    if (object !== undefined && name !== undefined) constants.set(name, object);
    if (node.type !== 'MemberExpression' || node['computed'] !== true) return;
    const taken = objectIn(node['object']);
    if (taken !== undefined) tables.add(taken);
    else indexed.add(nameOf(node['object']) ?? '');
  });
  for (const [name, object] of constants) if (indexed.has(name)) tables.add(object);
  return tables;
}

/** An object literal, without `as const`, `satisfies` and parentheses. */
function objectIn(value: unknown): Node | undefined {
  if (!isNode(value)) return undefined;
  return value.type === 'ObjectExpression' ? value : objectIn(value['expression']);
}

/** The cloud that a literal names: a string that is its name or begins with it, the same in a template, or a pattern. */
function cloudIn(node: Node, clouds: readonly string[]): string | undefined {
  if (isPattern(node)) {
    const words = beginningsOfPattern(node).map((one) => /^\^?(\w+)(?:\$?$|-|\\?\/)/.exec(one)?.[1]);
    return words.find((word) => word !== undefined && clouds.includes(word));
  }
  const text = textBeginning(node);
  return text !== undefined && isName(text, clouds) ? text : undefined;
}

/** Whether a text is the name of a cloud, or begins with one as kinds and names do; a sentence is neither. */
const isName = (text: string, clouds: readonly string[]): boolean => {
  const [, name = ''] = /^([^\s/-]+)(?:[/-]\S*)?$/.exec(text) ?? [];
  return clouds.includes(name);
};
