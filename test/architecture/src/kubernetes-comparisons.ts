import { parseSync } from 'oxc-parser';
import { isNode, list, type Node, nameOf, parts, textOf, walk } from './syntax.ts';

/** What compares versions: functions of semver by their method, that of texts, and our own. */
const COMPARING =
  /^(lt|lte|gt|gte|eq|neq|satisfies|gtr|ltr|outside|compare|localeCompare|minVersion|byKubernetes|isAtLeast)$/;
/** The ends of a row: `{ since: '1.24.0', … }`. */
const ENDS = ['since', 'until'];
/** A version of Kubernetes that clusters may run, or a range of them. Other programs are not as far. */
const VERSION = /^[<>=~^\s]*v?1\.[2-9]\d(\.|$)/;

/** Where versions of Kubernetes are compared: the one table, those of clouds, and addons' own rows. */
const TABLES = [
  /^shared\/spec\/src\/kubernetes-versions\.ts$/,
  /^clouds\/[^/]+\/control\/kubernetes-versions\.ts$/,
  /^clouds\/[^/]+\/control\/addon-rules\.ts$/,
  /^(control\/model\/src|clouds\/[^/]+\/control)\/addons\//,
];

/**
 * Finds comparisons of a version with a version of Kubernetes that is written there, at once or through a constant of the
 * file, and rows by such versions. Returns one line for each that stands outside the tables.
 */
export function kubernetesComparisons(path: string, text: string): readonly string[] {
  // Most files name no version, and parsing is what takes time.
  if (TABLES.some((table) => table.test(path)) || !/['"`][^'"`\n]*1\.[2-9]\d/.test(text)) return [];
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const constants = new Map<string, string>();
  const compared: Node[] = [];
  walk(program, (node) => {
    const name = nameOf(node['id']);
    const value = node.type === 'VariableDeclarator' && isNode(node['init']) ? textOf(node['init']) : undefined;
    if (name !== undefined && value !== undefined) constants.set(name, value);
    compared.push(...comparedIn(node));
  });
  const valueOf = (node: Node): string => textOf(node) ?? constants.get(nameOf(node) ?? '') ?? '';
  return compared
    .filter((node) => VERSION.test(valueOf(node)))
    .map((node) => {
      const line = text.slice(0, node.start).split('\n').length;
      const version = valueOf(node);
      return `${path}:${line} compares with Kubernetes ${version}: state the fact in shared/spec/src/kubernetes-versions.ts`;
    });
}

function comparedIn(node: Node): readonly Node[] {
  if (node.type === 'CallExpression') return COMPARING.test(called(node)) ? parts(...list(node['arguments'])) : [];
  return node.type === 'Property' && ENDS.includes(nameOf(node['key']) ?? '') ? parts(node['value']) : [];
}

/** The name of what is called: `lt` of `semver.lt(…)` and of `lt(…)`. */
function called({ callee }: Node): string {
  if (!isNode(callee)) return '';
  return nameOf(callee.type === 'MemberExpression' ? callee['property'] : callee) ?? '';
}
