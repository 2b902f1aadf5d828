import type { Declare } from './declaring.ts';

/** One group of commands. */
export interface Declaration {
  /** The first words of its command lines: names and aliases. */
  readonly words: readonly string[];
  readonly load: () => Promise<Declare>;
}

/** Every group of commands, in the order of the help. A test compares the words with what is declared. */
const DECLARATIONS: readonly Declaration[] = [
  { words: ['apply', 'plan'], load: async () => (await import('./apply.ts')).declareApply },
  { words: ['create'], load: async () => (await import('./create.ts')).declareCreate },
  { words: ['get'], load: async () => (await import('./get.ts')).declareGet },
  { words: ['explain'], load: async () => (await import('./explain.ts')).declareExplain },
  { words: ['edit', 'set', 'unset'], load: async () => (await import('./edit.ts')).declareEdit },
  { words: ['replace'], load: async () => (await import('./edit.ts')).declareReplace },
  { words: ['history', 'diff', 'undo'], load: async () => (await import('./history.ts')).declareHistory },
  { words: ['update'], load: async () => (await import('./update.ts')).declareUpdate },
  { words: ['adopt', 'give-back'], load: async () => (await import('./adopt.ts')).declareAdopt },
  { words: ['rolling-update', 'ru'], load: async () => (await import('./rolling-update.ts')).declareRollingUpdate },
  { words: ['heal'], load: async () => (await import('./heal.ts')).declareHeal },
  { words: ['upgrade', 'reconcile'], load: async () => (await import('./upgrade.ts')).declareUpgrade },
  {
    words: ['create', 'promote', 'distrust', 'trust', 'keypair'],
    load: async () => (await import('./keypair.ts')).declareKeypair,
  },
  { words: ['validate'], load: async () => (await import('./validate.ts')).declareValidate },
  { words: ['timeline', 'graph', 'ui'], load: async () => (await import('./see.ts')).declareSee },
  { words: ['export', 'helpers'], load: async () => (await import('./export.ts')).declareExport },
  { words: ['delete'], load: async () => (await import('./delete.ts')).declareDelete },
  { words: ['etcd'], load: async () => (await import('./etcd.ts')).declareEtcd },
  { words: ['toolbox'], load: async () => (await import('./toolbox.ts')).declareToolbox },
  { words: ['toolbox'], load: async () => (await import('./toolbox-specs.ts')).declareToolboxSpecs },
  { words: ['completion'], load: async () => (await import('./completion.ts')).declareCompletion },
  { words: ['verify'], load: async () => (await import('./verify.ts')).declareVerify },
  { words: ['version'], load: async () => (await import('./version.ts')).declareVersion },
];

/**
 * The groups whose commands a command line can name that starts with this word: all of them where it is no command, as in
 * `help get`, `--state … get` and `creat`. Declaring all takes about ten milliseconds.
 */
export function declarationsFor(first: string | undefined): readonly Declaration[] {
  const named = DECLARATIONS.filter(({ words }) => first !== undefined && words.includes(first));
  return named.length === 0 ? DECLARATIONS : named;
}
