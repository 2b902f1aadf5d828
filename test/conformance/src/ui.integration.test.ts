import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootReport, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import {
  BACKUP_DATA,
  BACKUP_META,
  BACKUP_VERIFIED,
  backupName,
  printBackupMeta,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { ensureHostTools } from '@kopsctl/packaging-assets/host-tools.ts';
import { TEST_HOST_TOOLS } from '@kopsctl/test-peers/host-tools.ts';
import { execa } from 'execa';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './recorded-cases.ts';

const CLUSTER = 'demo.example.com';
const METAL = 'metal.example.com';

let folder: string;
beforeAll(async () => {
  await ensureHostTools(TEST_HOST_TOOLS, () => {});
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-ui-'));
});
afterAll(() => rm(folder, { recursive: true }));

const env = () => ({ KOPS_STATE_STORE: `file://${folder}/state`, AWS_EC2_METADATA_DISABLED: 'true' });
const kopsctl = (...argv: readonly string[]) => execa(cli[0], [cli[1], ...argv], { env: env(), reject: false });

/** Writes a machine's report of a boot with one task, as nodeup does. */
async function report(node: string, task: `File/${string}`): Promise<void> {
  const events = [
    { type: 'run-started', atMs: 1000, tasks: [task] },
    { type: 'task-started', atMs: 1000, task, attempt: 1 },
    { type: 'task-finished', atMs: 3000, task, attempts: 1, result: 'changed' },
    { type: 'run-finished', atMs: 3000, changed: 1, failed: 0 },
  ] as const;
  const path = join(folder, 'state', CLUSTER, 'nodes', node);
  await mkdir(path, { recursive: true });
  await writeFile(
    join(path, 'boot-report.json'),
    printBootReport(bootReport({ node, planHash: 'ab'.repeat(32), events })),
  );
}

const BACKUP = backupName(Date.UTC(2026, 0, 2), 1);

/** A backup of etcd that was restored as a proof, as etcd-manager leaves it. */
async function backup(): Promise<void> {
  const path = join(folder, 'state', CLUSTER, 'backups/etcd/main');
  const [control, place] = [join(path, 'control'), join(path, BACKUP)];
  await Promise.all([control, place].map((one) => mkdir(one, { recursive: true })));
  await writeFile(join(control, 'etcd-cluster-created'), '{}');
  await writeFile(join(place, BACKUP_DATA), 'data');
  await writeFile(
    join(place, BACKUP_VERIFIED),
    JSON.stringify({ ok: true, at: 'now', by: 'a', durationMs: 1, keys: 7 }),
  );
  await writeFile(join(place, BACKUP_META), printBackupMeta({ memberCount: 1, etcdVersion: '3.6.12' }, 0));
}

test('pages of a cluster open once by the printed address, follow boots, and show what machines write as text', async () => {
  await kopsctl('create', 'cluster', CLUSTER, '--cloud=aws', '--zones=eu-west-1a', '--offline');
  await kopsctl('set', 'cluster', 'spec.kubernetesVersion=1.35.0', '--why', '<b>ticket</b> 7');
  // A plan asks no cloud about machines that no cloud lists.
  await kopsctl('create', 'cluster', METAL, '--cloud=metal', '--zones=main', '--offline');
  await makeUpHashes(await openStore(env().KOPS_STATE_STORE, {}), METAL);
  await report('nodes-1', 'File/first');
  const ui = execa(cli[0], [cli[1], 'ui'], { env: env(), reject: false });
  const printing = once(ui.stdout, 'data');
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const [printed] = await printing;
    const url = String(printed).trim();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(url);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: CLUSTER }).click();

    await page.locator('body[data-live=yes]').waitFor();
    await page.getByText('nodes-1: done after 2.00 s').waitFor();
    await report('nodes-2', 'File/<script>alert(1)</script>');
    await page.getByText('nodes-2: done after 2.00 s').waitFor();
    expect(await page.locator('main script').count()).toBe(0);

    await page.getByRole('link', { name: 'spec' }).click();
    await page.getByText('kubernetesVersion: 1.35.0').waitFor();
    expect(await page.getByRole('cell', { name: '<b>ticket</b> 7', exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: 'backups' }).click();
    await page.getByText('backups/etcd/ is empty').waitFor();
    await backup();
    await page.reload();
    await page.getByRole('cell', { name: BACKUP }).waitFor();
    await page.getByRole('cell', { name: 'restored with 7 keys' }).waitFor();

    await page.goto(new URL(`../../clusters/${METAL}/plan`, page.url()).href);
    await page.getByText('create keyset kubernetes-ca').waitFor();
    // The policy of the pages refuses nothing that they contain.
    expect(complaints).toEqual([]);

    const stranger = await (await browser.newContext()).newPage();
    const refused = await stranger.goto(url);
    expect(refused?.status()).toBe(401);
  } finally {
    await browser.close();
    ui.kill('SIGINT');
  }
  expect((await ui).exitCode).toBe(0);
});
