// Runs after `npm ci`: bundles the CLI, so that node_modules/.bin/kopsctl starts in a fraction of the time. Without the
// bundle it starts from its sources, so a failure here is reported but does not fail the installation.
import { existsSync, rmSync } from 'node:fs';

const sources = new URL('@kopsctl/cli/main.ts', import.meta.url);
const starter = new URL('../../dist/kopsctl.cjs', import.meta.url);
// npm puts the project's own Node first on the path. On a platform without one, the Node of the host may be too old.
const canRunTypeScript = Number(process.versions.node.split('.')[0]) >= 24;

if (existsSync(sources) && canRunTypeScript) {
  try {
    const { buildCliBundle } = await import('./src/build.ts');
    await buildCliBundle();
  } catch (error) {
    // An old bundle would be used instead of the sources.
    rmSync(starter, { force: true });
    console.error(`kopsctl will start from its sources: ${error instanceof Error ? error.message : String(error)}`);
  }
}
