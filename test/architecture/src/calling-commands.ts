import { importGraph, type Package } from './check-packages.ts';
import type { Source } from './read-source.ts';

const COMMANDS = 'control/cli/src/commands/';

/**
 * Commands parse and print; what two of them do is an action. Tells which of them import another, at once or at run
 * time; its types may be named. Returns one line for each fault.
 */
export function callingCommands(packages: readonly Package[], sources: readonly Source[]): readonly string[] {
  const commands = sources
    .filter(({ path }) => path.startsWith(COMMANDS))
    .map((source) => ({
      ...source,
      imports: source.imports.filter(({ typesOnly }) => typesOnly !== true),
      typeImports: [],
    }));
  return [...importGraph(packages, commands)].flatMap(([path, imported]) =>
    [...new Set(imported)]
      .filter((one) => one.startsWith(COMMANDS) && one !== path)
      .map((one) => `${path} imports ${one}, another command: both call an action`),
  );
}
