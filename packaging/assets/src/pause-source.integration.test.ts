import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openHttp } from '@kopsctl/http/http.ts';
import { parseImage } from '@kopsctl/spec/image-reference.ts';
import { PAUSE_IMAGE } from '@kopsctl/spec/kubernetes-images.ts';
import { execa } from 'execa';
import { expect, test } from 'vitest';

import { aptRoot } from './apt-root.ts';
import { pauseFromKubernetes } from './pause-source.ts';
import { DEFAULT_CACHE } from './prepare-assets.ts';

/** On a machine that has never made anything, Go and the module of Kubernetes are downloaded. */
const BUILD_MS = 30 * 60_000;

test('pause is the program of Kubernetes, in the version that machines ask for', { timeout: BUILD_MS }, async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'kops-pause-'));
  const version = await pauseFromKubernetes().provide({
    arch: 'amd64',
    dir,
    scratch: dir,
    http: openHttp({ keepAlive: false }),
    apt: aptRoot(path.join(dir, 'apt'), () => []),
    cacheDir: DEFAULT_CACHE,
    log: () => undefined,
    need: () => ({ dir: '', files: [] }),
    compileInTurn: (work) => work(),
  });
  const { stdout } = await execa(path.join(dir, 'pause'), ['-v']);
  await rm(dir, { recursive: true });
  expect(version).toBe(parseImage(PAUSE_IMAGE).tag);
  expect(stdout).toBe(`pause.c v${version}`);
});
