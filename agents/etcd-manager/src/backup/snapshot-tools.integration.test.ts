import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapshotTools, ToolEndedError } from './snapshot-tools.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'snapshot-tools-'))));
afterAll(() => rm(folder, { recursive: true }));

const signal = AbortSignal.timeout(30_000);

/** The error of a tool that does this. */
async function errorOf(script: string): Promise<unknown> {
  await writeFile(join(folder, 'etcdctl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const tools = await snapshotTools(folder);
  return tools.status('snapshot.db', signal).catch((error: unknown) => error);
}

test('a tool that was killed has found out nothing', async () => {
  expect(await errorOf('kill -9 $$')).toBeInstanceOf(ToolEndedError);
});

test('a tool that cannot be started has found out nothing', async () => {
  const tools = await snapshotTools(join(folder, 'none'));
  expect(await tools.status('snapshot.db', signal).catch((error: unknown) => error)).toBeInstanceOf(ToolEndedError);
});

test('a tool that exits with an error has said what is wrong with the data', async () => {
  const error = await errorOf('echo "Error: snapshot file integrity check failed" >&2; exit 1');
  expect(error).not.toBeInstanceOf(ToolEndedError);
  expect(String(error)).toContain('integrity check failed');
});
