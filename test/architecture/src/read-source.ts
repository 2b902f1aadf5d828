import { type EcmaScriptModule, parseSync } from 'oxc-parser';
import { dynamicImports, type Import } from './dynamic-imports.ts';
import { isNode } from './syntax.ts';

/** What a source file takes from others and offers to them. */
export interface Source {
  /** From the root of the repository. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Modules of which a type is named where it is used: `import('x').T`. */
  readonly typeImports: readonly string[];
  /** Names of exported values. */
  readonly exports: readonly string[];
  /** Names of exported types, which a signature may name though nobody imports them. */
  readonly exportedTypes: readonly string[];
  /** Those of the exported names that the file itself uses. */
  readonly ownUses: ReadonlySet<string>;
  /** Names of packages and files in strings, for what is not imported: `require.resolve('x')`. */
  readonly mentions: ReadonlySet<string>;
}

const MENTION = /['"](?:([\w./-]+\.ts)['"]|((?:@[\w.-]+\/)?[\w.-]+)['"/])/g;

/** The parser lists imports at run time, and not these, which look the same. */
const IMPORT_TYPE = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g;

/** Reads a module by its syntax. @throws where it has none */
export function readSource(path: string, text: string): Source {
  const { module, program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const exports = exported.filter(({ isType }) => !isType).flatMap(({ exportName: { name } }) => name ?? []);
  const exportedTypes = exported.filter(({ isType }) => isType).flatMap(({ exportName: { name } }) => name ?? []);
  const types = typeDeclarations(program.body);
  const words: readonly string[] = text.match(/[\w$]+/g) ?? [];
  return {
    path,
    imports: [...staticImports(module, types), ...reexports(module, types), ...dynamicImports(program)],
    typeImports: [...text.matchAll(IMPORT_TYPE)].map(([, , from = '']) => from),
    exports,
    exportedTypes,
    ownUses: new Set([...exports, ...exportedTypes].filter((name) => words.indexOf(name) !== words.lastIndexOf(name))),
    mentions: new Set([...text.matchAll(MENTION)].flatMap(([, file, name]) => file ?? name ?? [])),
  };
}

/** Where statements begin that import or export types alone; `import { type X }` still loads the module. */
const typeDeclarations = (body: readonly unknown[]): ReadonlySet<number> =>
  new Set(
    body.flatMap((node) =>
      isNode(node) && (node['importKind'] === 'type' || node['exportKind'] === 'type') ? [node.start] : [],
    ),
  );

const staticImports = (module: EcmaScriptModule, types: ReadonlySet<number>): readonly Import[] =>
  module.staticImports.map(({ start, moduleRequest, entries }) => ({
    from: moduleRequest.value,
    names: listed(entries.map(({ importName }) => importName.name)),
    typesOnly: types.has(start),
  }));

const reexports = (module: EcmaScriptModule, types: ReadonlySet<number>): readonly Import[] =>
  module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, importName: { name } }) =>
      moduleRequest === null ? [] : [{ from: moduleRequest.value, names: listed([name]), typesOnly: types.has(start) }],
    ),
  );

const listed = (names: readonly (string | null)[]): readonly string[] | 'all' => {
  const known = names.filter((name) => name !== null);
  return known.length < names.length ? 'all' : known;
};
