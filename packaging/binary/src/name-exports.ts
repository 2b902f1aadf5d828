import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Plugin } from 'esbuild';

const NAMESPACE = 'names-of-commonjs';
/** An ECMAScript module declares its exports. */
const MODULE_SYNTAX = /^\s*(?:import|export)[\s{*"']/m;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * `await import('package')` of a CommonJS package gives named exports in Node, but only `default` in chunks that
 * esbuild has split. The names are known only at run time, so this plugin loads the package and adds them to the chunk.
 */
export const nameExports: Plugin = {
  name: 'name-exports',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onResolve({ filter: /^[^./]/ }, async (asked) => {
      if (asked.kind !== 'dynamic-import' || asked.path.startsWith('@kopsctl/')) return undefined;
      // The plugin resolves the path itself, and must not handle that request again.
      if (asked.pluginData === NAMESPACE) return undefined;
      const { resolveDir, kind } = asked;
      const resolved = await build.resolve(asked.path, { resolveDir, kind, pluginData: NAMESPACE });
      // Node's own modules are external, with or without the prefix `node:`.
      if (resolved.errors.length > 0 || resolved.external) return undefined;
      if (MODULE_SYNTAX.test(await readFile(resolved.path, 'utf8'))) return undefined;
      const exports: unknown = createRequire(import.meta.url)(resolved.path);
      const names = Object.keys(Object(exports)).filter((name) => IDENTIFIER.test(name) && name !== 'default');
      // Chunks are named by a hash of such paths too: an absolute path would differ between two builders.
      const relative = path.relative(root, resolved.path);
      return { path: relative, namespace: NAMESPACE, pluginData: { names } };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: name, pluginData }) => {
      // As set above.
      const { names } = pluginData as { readonly names: readonly string[] };
      const contents = [
        // Not `import all from`: of a module with the mark of compilers, `__esModule`, that is what it names `default`, if anything.
        `const all = require(${JSON.stringify(`./${name}`)});`,
        'export default all;',
        ...names.map((one, index) => `const name${index} = all.${one}; export { name${index} as ${one} };`),
      ];
      return { contents: contents.join('\n'), resolveDir: root };
    });
  },
};
