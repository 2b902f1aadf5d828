import { readFile } from 'node:fs/promises';

import type { Plugin } from 'esbuild';

const SCHEMAS = /[\\/]node_modules[\\/]@aws-sdk[\\/].*[\\/]dist-es[\\/].*schemas_\d+\.js$/;
/** A constant that is an array. Whatever continues a statement is indented. */
const CONSTANT = /^(export var|export const|var|const) ([\w$]+) = (\[[^]*?\]);$(?=\n\S|\n*$)/gm;

/**
 * A client of AWS describes all its requests in one file of constants, thousands of them for EC2, and a program makes few
 * requests. Keys in them are computed (`[_xN]: …`), which could have an effect, so esbuild keeps every constant. This plugin
 * says that they have none.
 */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
  setup(build) {
    build.onLoad({ filter: SCHEMAS }, async ({ path }) => ({ contents: markPure(await readFile(path, 'utf8')) }));
  },
};

/** Puts each constant that is an array into a call that esbuild may leave out. */
export function markPure(text: string): string {
  return text.replaceAll(CONSTANT, '$1 $2 = /* @__PURE__ */ (() => $3)();');
}
