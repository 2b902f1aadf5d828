import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloudObjects } from './cloud-objects.ts';
import { golden, type KopsMade, openKopsMade } from './kops-made.ts';
import { startMoto } from './moto.ts';

const TIMEOUT_MS = 240_000;

/** Hashes follow from the release and from certificates that are made each time. */
const masked = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{64}\.json/g, '<hash>.json')
    .replaceAll(/sha256:[0-9a-f]{12}/g, 'sha256:<hash>')
    .replaceAll(/kopsctl [0-9a-f]{20,}…/g, 'kopsctl <hash>')
    .replaceAll(/^Left out: .*\n/gm, '');

describe.each(['one.example.com', 'three.example.com'])('%s, which kops made', (cluster) => {
  const server = startMoto({ managedPolicies: false });
  let made: KopsMade;
  let before: ReadonlyMap<string, string>;
  let cloudBefore: readonly string[];

  beforeAll(async () => {
    const moto = await server;
    if (moto === undefined) return;
    made = await openKopsMade(moto, cluster);
    before = await made.objects();
    cloudBefore = await cloudObjects(moto);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await made?.close();
    await (await server)?.stop();
  });
  test('is shown and refused, and nothing is written, before it is adopted', { timeout: TIMEOUT_MS }, async () => {
    const moto = await server;
    if (moto === undefined) return;
    const shown = await made.kopsctl('update', 'cluster', cluster);
    expect(shown).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Next: kopsctl adopt ${cluster}`) });
    const refused = { exitCode: 1, stderr: expect.stringContaining(`\`kopsctl adopt ${cluster}\` shows`) };
    expect(await made.kopsctl('update', 'cluster', cluster, '--yes')).toMatchObject(refused);
    expect(await made.kopsctl('apply', '--name', cluster, '--yes')).toMatchObject(refused);
    expect(await made.kopsctl('rolling-update', 'cluster', cluster, '--yes')).toMatchObject(refused);
    const terraform = ['--target', 'terraform', '--offline', '--out', `${made.env['KUBECONFIG']}.tf`];
    expect(await made.kopsctl('update', 'cluster', cluster, ...terraform)).toMatchObject(refused);
    const { exitCode, stdout } = await made.kopsctl('adopt', cluster);
    expect(exitCode).toBe(0);
    const text = masked(stdout);
    expect(text).toBe(await golden(`${cluster}.txt`, text));
    expect(await made.objects()).toEqual(before);
    expect(await cloudObjects(moto)).toEqual(cloudBefore);
  });

  test(
    'is adopted: what kops wrote stays, and in the cloud nothing is made or deleted',
    { timeout: TIMEOUT_MS },
    async () => {
      const moto = await server;
      if (moto === undefined) return;
      const { exitCode, stdout } = await made.kopsctl('adopt', cluster, '--yes', '-o', 'json');
      expect(exitCode).toBe(0);
      const { changes }: { readonly changes: readonly { readonly place: string; readonly object: string }[] } =
        JSON.parse(stdout);
      const after = await made.objects();
      expect([...before].filter(([path, bytes]) => after.get(path) !== bytes)).toEqual([]);
      const told = changes.filter(({ place }) => place === 'store').map(({ object }) => `${cluster}/${object}`);
      const written = [...after.keys()].filter((path) => !before.has(path));
      expect(written.filter((path) => !path.endsWith('/lock')).toSorted()).toEqual(told.toSorted());
      expect(await cloudObjects(moto)).toEqual(cloudBefore);
      expect((await made.kopsctl('update', 'cluster', cluster)).stdout).toContain('No changes');
    },
  );
});
