import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { EXAMPLES_DIR } from '../../../packaging/quickstart/src/prepare.ts';
import { testCluster } from './cluster.ts';

/** What goes wrong once in twenty starts is found by starting many. */
const CLUSTERS = Number(process.env['KOPSCTL_SOAK_CLUSTERS'] ?? '50');
const WORKERS = 3;

/** The specification of the quickstart with more workers: their addresses are assigned at the same moment. */
async function specWithWorkers(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-soak-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [cluster = '', controlPlane = '', nodes = ''] = (
    await readFile(join(EXAMPLES_DIR, 'quickstart.yaml'), 'utf8')
  ).split(/^---$/m);
  const sized = nodes.replaceAll(/(minSize|maxSize): 1/g, `$1: ${WORKERS}`);
  expect(sized).not.toBe(nodes);
  const spec = join(folder, 'cluster.yaml');
  const text = [cluster, controlPlane, sized].join('---');
  await writeFile(spec, text.replaceAll('quickstart.local.test', 'soak.local.test'));
  return spec;
}

describe.skipIf(inject('prepared') === undefined)('A new cluster', () => {
  test.for(Array.from({ length: CLUSTERS }, (_, index) => index + 1))(
    'is valid, and each node has a range of its own: %i',
    async () => {
      const cluster = await testCluster(await specWithWorkers());
      onTestFinished(() => cluster.destroy());
      const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
      if (applied.exitCode !== 0) process.stderr.write(applied.stderr);
      expect(applied.exitCode).toBe(0);
      const ranges = await cluster.kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].spec.podCIDR}');
      expect(new Set(ranges.split(' ')).size).toBe(1 + WORKERS);
      expect((await cluster.kopsctl('validate', 'cluster')).exitCode).toBe(0);
    },
  );
});
