import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { printed } from '../output/print-objects.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';
import { VERSION } from '../version.ts';

export interface VersionOptions {
  readonly short?: boolean;
  /** Also the release that applied the cluster last. */
  readonly server?: boolean;
  readonly output: 'text' | 'yaml' | 'json';
}

/** Prints the version of this program, and of the one that applied a cluster last. */
export async function version(
  global: GlobalOptions,
  { short = false, server = false, output }: VersionOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const applied = server ? await serverVersion(global, env) : undefined;
  if (output !== 'text') {
    const document = {
      client: VERSION,
      ...(server && { cluster: applied?.cluster, server: applied?.version ?? null }),
    };
    writeDocument(await printed([document], output, { single: true }));
    return 0;
  }
  writeOut(short ? `${VERSION}\n` : `kopsctl ${VERSION}\n`);
  if (applied === undefined) return 0;
  const last = applied.version ?? '(none)';
  writeOut(short ? `${last}\n` : `Applied ${applied.cluster} last: ${last}\n`);
  return 0;
}

async function serverVersion(global: GlobalOptions, env: NodeJS.ProcessEnv) {
  const { readAppliedRelease } = await import('@kopsctl/actions/read-applied-release.ts');
  return readAppliedRelease(actionContext(global, env));
}
