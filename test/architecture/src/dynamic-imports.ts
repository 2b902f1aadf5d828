import { isNode, list, nameOf, type Node, textOf, walk } from './syntax.ts';

/** What a source file takes from another. */
export interface Import {
  readonly from: string;
  /** The imported names; `all` if they are not listed: `import *`, `import x`, `export *`, `import()` of unknown use. */
  readonly names: readonly string[] | 'all';
  /** Whether nothing is left of it when the code runs: `import type`, `export type`. */
  readonly typesOnly?: boolean;
}

/**
 * The modules that code imports when it runs, each with the names that it takes from it, as far as these are written
 * beside the import: `const { a } = await import('x')`, the same in a `Promise.all`, `(await import('x')).a`, and
 * `import('x').then(({ a }) => …)`. Whatever else is done with a module may take all.
 */
export function dynamicImports(program: unknown): readonly Import[] {
  const names = new Map<Node, Import['names']>();
  walk(program, (node) => {
    for (const [taken, expression] of takings(node)) take(taken, expression, names);
  });
  const found: Import[] = [];
  walk(program, (node) => {
    const source = node.type === 'ImportExpression' ? node['source'] : undefined;
    const from = isNode(source) ? textOf(source) : undefined;
    if (from !== undefined) found.push({ from, names: names.get(node) ?? 'all' });
  });
  return found;
}

/** A pattern of a variable or parameter, or the name of a field. */
type Taken = Node | readonly string[];

/** Which patterns or names take from which expressions in a node. */
function takings(node: Node): readonly (readonly [Taken | undefined, unknown])[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return [[asNode(node['id']), node['init']]];
    case 'MemberExpression': {
      const name = node['computed'] === true ? undefined : nameOf(node['property']);
      // A field of the promise itself, such as `then`, is none of the module.
      return isImport(node['object']) || name === undefined ? [] : [[[name], node['object']]];
    }
    case 'CallExpression':
      return [[firstParameter(list(node['arguments'])[0]), thenOf(node)]];
    default:
      return [];
  }
}

/** What `.then(…)` is called on. */
function thenOf({ callee }: Node): unknown {
  return isNode(callee) && callee.type === 'MemberExpression' && nameOf(callee['property']) === 'then'
    ? callee['object']
    : undefined;
}

const firstParameter = (value: unknown): Node | undefined =>
  isNode(value) ? asNode(list(value['params'])[0]) : undefined;
const asNode = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);
const isImport = (value: unknown): boolean => isNode(value) && value.type === 'ImportExpression';

function take(taken: Taken | undefined, expression: unknown, names: Map<Node, Import['names']>): void {
  if (taken === undefined || !isNode(expression)) return;
  switch (expression.type) {
    case 'AwaitExpression':
      return take(taken, expression['argument'], names);
    case 'ParenthesizedExpression':
      return take(taken, expression['expression'], names);
    case 'CallExpression': {
      const [array] = list(expression['arguments']);
      if (!isAll(expression) || !isNode(array) || !isNode(taken) || taken.type !== 'ArrayPattern') return;
      const patterns = list(taken['elements']).map(asNode);
      list(array['elements']).forEach((element, index) => take(patterns[index], element, names));
      return;
    }
    case 'ImportExpression':
      names.set(expression, namesOf(taken));
  }
}

const isAll = ({ callee }: Node): boolean => isNode(callee) && nameOf(callee['property']) === 'all';

/** The names that a pattern takes. */
function namesOf(taken: Taken): Import['names'] {
  if (!isNode(taken)) return taken;
  if (taken.type !== 'ObjectPattern') return 'all';
  const keys = list(taken['properties']).map((property) => (isNode(property) ? nameOf(property['key']) : undefined));
  return keys.every((key) => key !== undefined) ? keys : 'all';
}
