// Makes `npm run quickstart` and `npm test` work on a fresh clone: installs the project's own packages when they are
// missing or older than the lockfile. Plain JavaScript, because any Node from 20 on must run it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'node_modules', '.installed-lockfile');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';

if (installed !== wanted || !existsSync(join(root, 'node_modules', '.bin', 'node'))) {
  console.error(`setup: npm ci (${installed === '' ? 'nothing is installed yet' : 'the lockfile has changed'})`);
  const startMs = performance.now();
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) {
    console.error('Error: cannot install the packages of package-lock.json: npm ci failed (see above)');
    console.error('Next:  check that npm reaches its registry: npm ping');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  console.error(`setup: npm ci took ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
}
