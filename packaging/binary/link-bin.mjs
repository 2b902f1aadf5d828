// Runs after `npm ci`: bundles the CLI, so that node_modules/.bin/kopsctl starts in a fraction of the time that its
// sources take. Without the bundle it starts from the sources, so a failure here is told but fails no installation.
import { existsSync, rmSync } from 'node:fs';

const sources = new URL('../../control/cli/src/main.ts', import.meta.url);
const starter = new URL('../../dist/kopsctl.cjs', import.meta.url);
// npm puts the project's own Node first on the path; where it has none for this platform, the host's may be too old.
const canRunTypeScript = Number(process.versions.node.split('.')[0]) >= 24;

if (existsSync(sources) && canRunTypeScript) {
  try {
    const { buildCliBundle } = await import('./src/build.ts');
    await buildCliBundle();
  } catch (error) {
    // An older bundle would hide the sources that could not be bundled.
    rmSync(starter, { force: true });
    console.error(`kopsctl will start from its sources: ${error instanceof Error ? error.message : String(error)}`);
  }
}
