import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { changedFields, cloudContents, cloudObjects } from './cloud-objects.ts';
import { golden, type KopsMade, masked, openKopsMade } from './kops-made.ts';
import { startMoto } from './moto.ts';
import { CHANNEL_PORT, type Kops, openKops } from './run-kops.ts';

/** All that adopting changes in objects of the cloud. The golden lists say of which. */
const CHANGED_IN_THE_CLOUD = [
  // A group as this stand-in keeps it has a copy of what its template says.
  'autoscaling FakeAutoScalingGroup: user_data',
  'ec2 LaunchTemplate: default_version_number',
  'ec2 LaunchTemplate: latest_version_number',
  'iam Role: policies',
  'iam Role: role_policy_list',
];

/** What comes and goes with machines: this stand-in keeps those that were ended, and what it once said of their health. */
const OF_MACHINES = /^(?:ec2 (?:Instance|NetworkInterface|Volume)|elbv2 FakeHealthStatus) /;
const lasting = (objects: readonly string[]): readonly string[] => objects.filter((one) => !OF_MACHINES.test(one));

/** What differs between the two, and what this stand-in for AWS does not give back, so that kops changes it each time. */
const CHANGED_BY_KOPS = /^(?:IAMRolePolicy|LaunchTemplate|SSHKey|Subnet)\//;

let kops: Kops | undefined;
beforeAll(async () => {
  kops = await openKops(CHANNEL_PORT);
});
afterAll(() => kops?.close());

describe.each(casesOf(['one.example.com'], ['three.example.com']))('%s, which kops made', (cluster) => {
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
  });
  afterAll(async () => {
    await made?.close();
    await (await server)?.stop();
  });
  test('is shown and refused, and nothing is written, before it is adopted', async () => {
    const moto = await server;
    if (moto === undefined) return;
    const shown = await made.kopsctl('update', 'cluster', cluster);
    expect(shown).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Next: kopsctl adopt ${cluster}`) });
    const terraform = ['--target', 'terraform', '--offline', '--out', `${made.env['KUBECONFIG']}.tf`];
    const changes = [
      ['update', 'cluster', cluster, '--yes'],
      ['apply', '--name', cluster, '--yes'],
      ['rolling-update', 'cluster', cluster, '--yes'],
      ['reconcile', 'cluster', cluster, '--yes'],
      ['keypair', 'rotate', '--name', cluster, '--yes'],
      ['update', 'cluster', cluster, ...terraform],
    ];
    const refused = { exitCode: 1, stderr: expect.stringContaining(`\`kopsctl adopt ${cluster}\` shows`) };
    expect(await Promise.all(changes.map((argv) => made.kopsctl(...argv)))).toEqual(
      changes.map(() => expect.objectContaining(refused)),
    );
    const { exitCode, stdout } = await made.kopsctl('adopt', cluster);
    expect(exitCode).toBe(0);
    const text = masked(stdout);
    expect(text).toBe(await golden(`${cluster}.txt`, text));
    expect(await made.objects()).toEqual(before);
    expect(await cloudObjects(moto)).toEqual(cloudBefore);
  });

  test('is adopted: what kops wrote stays, and in the cloud nothing is made or deleted', async () => {
    const moto = await server;
    if (moto === undefined) return;
    const whole = await cloudContents(moto);
    const { exitCode, stdout } = await made.kopsctl('adopt', cluster, '--yes', '-o', 'json');
    expect(exitCode).toBe(0);
    // The versions of a launch template hold the user data; the list above says what of it.
    expect(changedFields(whole, await cloudContents(moto))).toEqual(CHANGED_IN_THE_CLOUD);
    const { changes }: { readonly changes: readonly { readonly place: string; readonly object: string }[] } =
      JSON.parse(stdout);
    const after = await made.objects();
    expect([...before].filter(([path, bytes]) => after.get(path) !== bytes)).toEqual([]);
    const told = changes.filter(({ place }) => place === 'store').map(({ object }) => `${cluster}/${object}`);
    const written = [...after.keys()].filter((path) => !before.has(path));
    expect(written.filter((path) => !path.endsWith('/lock')).toSorted()).toEqual(told.toSorted());
    expect(await cloudObjects(moto)).toEqual(cloudBefore);
    expect((await made.kopsctl('update', 'cluster', cluster)).stdout).toContain('No changes');
  });

  test('is rolled: every machine that runs a plan is another one, and what kops wrote stays; one machine is exchanged alone', async () => {
    const moto = await server;
    if (moto === undefined) return;
    const old = await machines();
    expect(await made.kopsctl('update', 'cluster', cluster, '--yes')).toMatchObject({ exitCode: 0 });
    const roll = ['rolling-update', 'cluster', cluster, '--cloudonly'];
    expect(await made.kopsctl(...roll, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await machines()).toHaveLength(old.length);
    // Bastions run nothing, so that those of kops are as kopsctl would make them.
    const bastions = await machines('bastion');
    expect((await machines()).filter((id) => old.includes(id))).toEqual(bastions);
    expect((await made.kopsctl('update', 'cluster', cluster)).stdout).toContain('No changes');
    const after = await made.objects();
    expect([...before].filter(([path, bytes]) => after.get(path) !== bytes)).toEqual([]);

    const rolled = await machines();
    const [one = ''] = rolled;
    const deleted = await made.kopsctl('delete', 'instance', one, '--name', cluster, '--cloudonly', '--yes');
    expect(deleted).toMatchObject({ exitCode: 0 });
    const kept = rolled.filter((id) => id !== one);
    expect(await machines()).toEqual(expect.arrayContaining(kept));
    expect(await machines()).toHaveLength(rolled.length);
    expect(await machines()).not.toContain(one);
    const now = await cloudObjects(moto);
    expect(lasting(now)).toEqual(lasting(cloudBefore));
    cloudBefore = now;
  });

  test('is read and taken back by kops, and taken again by kopsctl', async () => {
    const moto = await server;
    if (moto === undefined || kops === undefined) return;
    const adopted = await made.objects();
    const shown = await Promise.all([
      kops.run(made, 'get', 'clusters', cluster),
      kops.run(made, 'get', 'instancegroups', '--name', cluster),
      kops.run(made, 'get', 'keypairs', '--name', cluster),
    ]);
    expect(shown).toEqual(shown.map(() => expect.objectContaining({ exitCode: 0 })));

    expect(await kops.run(made, 'update', 'cluster', cluster, '--yes')).toMatchObject({ exitCode: 0 });
    const back = await made.objects();
    const ofKopsctl = [...adopted].filter(([path]) => !before.has(path));
    expect(ofKopsctl.filter(([path, bytes]) => back.get(path) !== bytes)).toEqual([]);
    const { stdout } = await made.kopsctl('update', 'cluster', cluster, '-o', 'json');
    const plan: { readonly tasks: readonly { readonly id: string; readonly steps: readonly unknown[] }[] } =
      JSON.parse(stdout);
    const kinds = plan.tasks.filter(({ steps }) => steps.length > 0).map(({ id }) => id.replace(/\/[^/]*$/, ''));
    expect([...new Set(kinds)].toSorted()).toEqual(['aws/IamRolePolicy', 'aws/LaunchTemplate']);

    expect(await made.kopsctl('update', 'cluster', cluster, '--yes')).toMatchObject({ exitCode: 0 });
    const again = await made.objects();
    expect([...back].filter(([path, bytes]) => !path.endsWith('/lock') && again.get(path) !== bytes)).toEqual([]);
    expect((await made.kopsctl('update', 'cluster', cluster)).stdout).toContain('No changes');
    const preview = await kops.run(made, 'update', 'cluster', cluster);
    expect(preview).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringMatching(/^Will create|will be deleted/m),
    });
    const modified = [...preview.stdout.matchAll(/^ {2}(\w+\/.*)$/gm)].map(([, object = '']) => object);
    expect(modified.filter((object) => !CHANGED_BY_KOPS.test(object))).toEqual([]);
    expect(modified.length).toBeGreaterThan(0);
    expect(await cloudObjects(moto)).toEqual(cloudBefore);
  });

  test('is given back: kops replaces its machines, and the store is as kops left it', async () => {
    const moto = await server;
    if (moto === undefined || kops === undefined) return;
    const adopted = await made.objects();
    const ours = await machines();
    const shown = await made.kopsctl('give-back', cluster);
    expect(shown).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing was changed.') });
    expect(ours.filter((one) => shown.stdout.includes(`${one} is replaced`)).length).toBeGreaterThanOrEqual(2);
    expect(await made.objects()).toEqual(adopted);

    const marked = await made.kopsctl('give-back', cluster, '--yes');
    expect(marked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`leaves ${cluster} alone`) });
    expect(await made.kopsctl('update', 'cluster', cluster, '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('gave it back to kops'),
    });
    const asAdopted = [...adopted].filter(([path]) => !/\/(?:lock|adopted\.json|rolling-update\.lock)$/.test(path));
    const meanwhile = await made.objects();
    expect(asAdopted.filter(([path, bytes]) => meanwhile.get(path) !== bytes)).toEqual([]);

    expect(await kops.run(made, 'update', 'cluster', cluster, '--yes')).toMatchObject({ exitCode: 0 });
    const unrolled = await made.kopsctl('give-back', cluster, '-o', 'json');
    expect(JSON.parse(unrolled.stdout)).toMatchObject({ isCleared: false, made: { groups: [] } });
    // This stand-in reports every machine of a group as one of the newest version, hence --force.
    const roll = ['rolling-update', 'cluster', cluster, '--yes', '--cloudonly', '--force'];
    const intervals = ['control-plane', 'node', 'bastion'].map((role) => `--${role}-interval=1ms`);
    expect(await kops.run(made, ...roll, ...intervals)).toMatchObject({ exitCode: 0 });
    expect((await machines()).filter((id) => ours.includes(id))).toEqual([]);

    const ofKops = await made.objects();
    const cleared = await made.kopsctl('give-back', cluster, '--yes');
    expect(cleared).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('belongs to kops') });
    const left = await made.objects();
    expect([...left.keys()]).toEqual([...before.keys()]);
    expect(lasting(await cloudObjects(moto))).toEqual(lasting(cloudBefore));
    expect([...left].filter(([path, bytes]) => ofKops.get(path) !== bytes)).toEqual([]);
    expect((await made.kopsctl('give-back', cluster)).stderr).toContain('given it back already');
    expect((await made.kopsctl('adopt', cluster)).exitCode).toBe(0);
  });

  /** Those that the cloud runs, by their ids; where a role is given, those of that role. */
  async function machines(role?: string): Promise<readonly string[]> {
    const { stdout } = await made.kopsctl('get', 'instances', cluster, '-o', 'json');
    const found: readonly { readonly id: string; readonly roles: readonly string[] }[] = JSON.parse(stdout);
    return found.filter(({ roles }) => role === undefined || roles.includes(role)).map(({ id }) => id);
  }
});
