import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { often } from '@kopsctl/test-suite/long.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { startMoto } from './moto.ts';
import { kopsctlProgram, repository } from './recorded-cases.ts';
import { makeBucket } from './s3-server.ts';

const WRITERS = often(8, 20);
const CLUSTER = 'quickstart.local.test';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

/** Every write that was reported as successful must still be there, whatever the other writers wrote meanwhile. */
async function writeAtOnce(state: string, env: Readonly<Record<string, string>>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kopsctl-writers-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  const spec = join(repository, 'examples/quickstart.yaml');
  const kopsctl = async (...argv: readonly string[]) =>
    execa(kopsctlProgram, [...argv, '--state', state === '' ? `file://${folder}/state` : state], {
      env,
      reject: false,
    });
  expect(await kopsctl('create', '-f', spec)).toMatchObject({ exitCode: 0 });
  const edit = ['edit', 'instancegroup', 'nodes', '--name', CLUSTER, '--set'];
  const told = await Promise.all(
    Array.from({ length: WRITERS }, async (_, index) => kopsctl(...edit, `spec.cloudLabels.writer${index}=here`)),
  );
  const { stdout } = await kopsctl('get', 'instancegroups', 'nodes', '--name', CLUSTER, '-o', 'yaml');
  const succeeded = told.flatMap(({ exitCode }, index) => (exitCode === 0 ? [`writer${index}`] : []));
  const kept = [...stdout.matchAll(/(writer\d+): here/g)].flatMap(([, name]) => name ?? []);
  expect(kept.toSorted()).toEqual(succeeded.toSorted());
  const refusals = told.filter(({ exitCode }) => exitCode !== 0).map(({ stderr }) => stderr);
  expect(refusals.filter((text) => !/changed|meantime|somebody/i.test(text))).toEqual([]);
  return succeeded.length;
}

describe(`${WRITERS} operators who edit one object concurrently`, () => {
  test('lose no change in a folder', { timeout: 180_000 }, async () => {
    expect(await writeAtOnce('', {})).toBeGreaterThan(0);
  });

  test('lose no change in a versioned bucket', { timeout: 180_000 }, async (context) => {
    const moto = await startMoto();
    if (moto === undefined) return context.skip('there is no moto');
    undo.push(() => moto.stop());
    const bucket = await makeBucket(moto, 'writers', true);
    const env = {
      AWS_ENDPOINT_URL: moto.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    expect(await writeAtOnce(`s3://${bucket}`, env)).toBeGreaterThan(0);
  });
});
