import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CILIUM_ETCD_CLIENT } from '@kopsctl/node-plan/cilium-etcd.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { factsOfFiles } from './machine-files.ts';

const signal = new AbortController().signal;
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'machine-files-'));
  await mkdir(dirname(`${root}${CILIUM_ETCD_CLIENT}`), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const known = () => factsOfFiles(root)['ciliumEtcdClient']?.(signal);

test("Cilium's agents get the certificate of the control plane and its key, on one line", async () => {
  await writeFile(`${root}${CILIUM_ETCD_CLIENT}.crt`, 'certificate\n');
  await writeFile(`${root}${CILIUM_ETCD_CLIENT}.key`, 'key\n');
  const value = (await known()) ?? '';
  expect(value).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(Buffer.from(value, 'base64').toString()).toBe('certificate\nkey\n');
});

test.each([[[]], [['.crt']]])('an error says what to do where the machine has only %j of them', async (ends) => {
  for (const end of ends) await writeFile(`${root}${CILIUM_ETCD_CLIENT}${end}`, 'x');
  await expect(known()).rejects.toMatchObject({ next: expect.stringContaining('rolling-update') });
});
