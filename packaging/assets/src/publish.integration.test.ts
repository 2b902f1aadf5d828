import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { packImage } from './image-archive.ts';
import { publishAgents } from './publish.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'kops-assets-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("the agents' binary", () => {
  test('is published under its content, beside what the index held', async () => {
    const assetsDir = path.join(dir, 'assets');
    mkdirSync(assetsDir);
    const other = { name: 'runc', version: '1', arch: 'amd64', file: 'runc', sha256: 'a'.repeat(64), size: 1 };
    writeFileSync(path.join(assetsDir, 'index.json'), JSON.stringify({ assets: [other] }));
    const binary = path.join(dir, 'kops-agents');
    writeFileSync(binary, 'first');
    const first = await publishAgents({ assetsDir, binary });
    expect(first).toMatchObject({ name: 'agents-amd64', size: 5 });
    expect(await publishAgents({ assetsDir, binary })).toEqual(first);

    rmSync(binary);
    writeFileSync(binary, 'second');
    const second = await publishAgents({ assetsDir, binary });
    expect(second.sha256).not.toBe(first.sha256);
    expect(JSON.parse(readFileSync(path.join(assetsDir, 'index.json'), 'utf8'))).toEqual({ assets: [second, other] });
    // A cluster that was applied with the first still finds it.
    expect(readFileSync(path.join(assetsDir, first.file), 'utf8')).toBe('first');
    expect(readFileSync(path.join(assetsDir, second.file), 'utf8')).toBe('second');
  });
});

describe('an image archive', () => {
  test('has the same bytes whenever its content is the same', async () => {
    const hashes: string[] = [];
    for (const [name, time] of [['a', 1000] as const, ['b', 2000] as const]) {
      const root = path.join(dir, name);
      mkdirSync(root);
      writeFileSync(path.join(root, 'pause'), 'program', { mode: 0o755 });
      utimesSync(path.join(root, 'pause'), time, time);
      const archive = path.join(dir, `${name}.tar`);
      await packImage({ reference: 'k8s.gcr.io/pause:3.2', arch: 'amd64', entrypoint: ['/pause'] }, root, archive, dir);
      hashes.push(await sha256OfFile(archive));
    }
    expect(hashes[0]).toBe(hashes[1]);
  });
});
