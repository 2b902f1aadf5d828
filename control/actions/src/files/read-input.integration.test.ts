import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInput } from './read-input.ts';

const SPEC = 'kind: Cluster\n';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-input-'));
  await writeFile(join(folder, 'demo.yaml'), SPEC);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a spec is read from a path, from a state store and from the web', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/demo.yaml' ? 200 : 404;
    response.end(SPEC);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    for (const place of [folder, `file://${folder}`, `http://127.0.0.1:${port}`]) {
      expect((await readInput(`${place}/demo.yaml`, {})).toString()).toBe(SPEC);
    }
    await expect(readInput(`http://127.0.0.1:${port}/other.yaml`, {})).rejects.toThrow('answers 404');
    await expect(readInput(`file://${folder}/other.yaml`, {})).rejects.toThrow('does not hold other.yaml');
  } finally {
    server.close();
  }
});

test('a path that leads nowhere is named, with what to do', async () => {
  await expect(readInput(`${folder}/nosuch`, {})).rejects.toMatchObject({
    message: expect.stringContaining(`cannot read ${folder}/nosuch: ENOENT`),
    next: 'check the path',
  });
});
