/** A node of a syntax tree, as the parser makes it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const parts = (...values: readonly unknown[]): readonly Node[] => values.filter(isNode);

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}

/** Visits every node of a tree, parents first. */
export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) visit(value);
    for (const field of Object.values(value)) walk(field, visit);
  }
}

/** The name of a field: `b` in `a.b` or `{ b: 1 }`; undefined where it is computed. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const name = node.type === 'Identifier' ? node['name'] : node['value'];
  return typeof name === 'string' ? name : undefined;
}

/** The text of a string, or of a template without expressions. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  return node.type === 'TemplateLiteral' && list(node['expressions']).length === 0 ? beginningOf(node) : undefined;
}

/** What a template begins with, up to its first expression. */
export function beginningOf(node: Node): string | undefined {
  const [quasi] = node.type === 'TemplateLiteral' ? parts(...list(node['quasis'])) : [];
  const value = quasi?.['value'];
  const cooked: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'cooked') : undefined;
  return typeof cooked === 'string' ? cooked : undefined;
}
