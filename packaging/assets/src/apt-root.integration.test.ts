import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { aptRoot } from './apt-root.ts';
import { debianSources } from './apt-sources.ts';

test('a source package is found without a binary package beside it', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'kops-apt-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const apt = aptRoot(dir, (own) => debianSources(own, 'bookworm'));
  const wanted = { packages: [], sources: ['catatonit'] };
  const { packages, sources } = await apt.resolve(wanted);
  expect(packages).toEqual({});
  expect(sources['catatonit']?.some(({ file }) => file.includes('.orig.tar.'))).toBe(true);
  expect(await apt.resolved(wanted)).toMatchObject({ sources });
});
