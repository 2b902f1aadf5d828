import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ANYBODY, type AwsAccount, IMAGE, openAccount, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();
const NAME = 'commands.example.com';

describe.skipIf(moto === undefined)('commands that need an account of AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;

  beforeAll(async () => {
    account = await openAccount(moto);
    await create(NAME);
  });
  afterAll(async () => {
    await account.close();
    await moto.stop();
  });

  const create = async (name: string): Promise<void> => {
    const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', IMAGE, '--networking', 'cni'];
    const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium', '--dns-zone', 'example.com'];
    const created = await account.kopsctl(['create', 'cluster', '--name', name, ...place, ...sizes, '--offline']);
    if (created.exitCode !== 0) throw new Error(created.stderr);
  };

  interface Group {
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly machineType: string;
      readonly minSize: number;
      readonly maxSize: number;
      readonly mixedInstancesPolicy?: Readonly<Record<string, unknown>>;
    };
  }
  const select = async (...argv: readonly string[]): Promise<readonly Group[]> => {
    const selector = ['toolbox', 'instance-selector', ...argv, '--name', NAME];
    const { exitCode, stdout, stderr } = await account.kopsctl([...selector, '--dry-run']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return parseAllDocuments(stdout).map((document) => document.toJS() as Group);
  };
  const typesOf = ({ spec }: Group): readonly unknown[] =>
    (spec.mixedInstancesPolicy?.['instances'] as readonly unknown[] | undefined) ?? [spec.machineType];

  test('toolbox instance-selector finds types by what they have', async () => {
    const size = ['--vcpus', '2', '--memory', '8gb', '--allow-list', '^m5'];
    const [group, ...others] = await select('sized', ...size, '--node-count-min', '2', '--node-count-max', '5');
    expect(others).toEqual([]);
    if (group === undefined) throw new Error('it makes no group');
    expect(group).toMatchObject({ metadata: { name: 'sized' }, spec: { minSize: 2, maxSize: 5 } });
    expect(typesOf(group)).toContain('m5.large');
    expect(typesOf(group).every((type) => /^m5[a-z]*\.large$/.test(String(type)))).toBe(true);

    const growing = await select('growing', '--flexible', '--usage-class', 'spot', '--ig-count', '2');
    expect(growing.map(({ metadata }) => metadata.name)).toEqual(['growing1', 'growing2']);
    const [small = [], large = []] = growing.map(typesOf);
    expect(small.length).toBeGreaterThan(1);
    expect(small.filter((type) => large.includes(type))).toEqual([]);
  });

  test('toolbox instance-selector stores its group once, and none where no type suits', async () => {
    const selector = (...argv: readonly string[]) =>
      account.kopsctl(['toolbox', 'instance-selector', ...argv, '--name', NAME]);
    expect(await selector('stored', '--base-instance-type', 'm5.large', '--max-results', '3')).toMatchObject({
      exitCode: 0,
    });
    const stored = await account.kopsctl(['get', 'instancegroup', 'stored', '--name', NAME, '-o', 'yaml']);
    expect(stored.stdout).toContain('m5');
    expect(await selector('stored', '--vcpus', '2')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('it already exists'),
    });
    expect(await selector('none', '--vcpus', '3', '--memory', '1gb')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('none'),
    });
    expect((await account.kopsctl(['get', 'instancegroups', '--name', NAME])).stdout).not.toContain('none');
  });

  test('delete cluster --external deletes what no store knows of, and that alone', async () => {
    // The account does not have the image that kops's channel names for it.
    await account.kopsctl(['delete', 'instancegroup', 'stored', '--name', NAME, '--yes']);
    expect(await account.kopsctl(['update', 'cluster', NAME, '--yes'])).toMatchObject({ exitCode: 0 });
    await account.makeLeftovers(NAME);
    const { vpc } = await account.makeVpc();
    const store = createS3Store('s3://kops-state', {
      endpoint: moto.endpoint,
      credentials: ANYBODY,
      region: REGION,
    });
    for (const { path } of await store.list('')) await store.delete(path);

    const before = await account.remains(NAME);
    const erase = (name: string, ...flags: readonly string[]) =>
      account.kopsctl(['delete', 'cluster', name, '--external', '--region', REGION, ...flags]);
    expect(await erase('other.example.com', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('nothing in us-east-1 belongs to a cluster of that name'),
    });
    expect((await erase(NAME)).stdout).toContain(`nodes-us-east-1a.${NAME}`);
    expect(await account.remains(NAME)).toEqual(before);

    expect(await erase(NAME, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await account.remains(NAME)).toEqual({});
    expect(await account.hasVpc(vpc)).toBe(true);
  });

  test('update cluster refuses machine types that do not run their image, and images that are not there, before it makes anything', async () => {
    const name = 'refused.example.com';
    await create(name);
    for (const [group, value] of [
      ['nodes-us-east-1a', 'spec.machineType=m6g.large'],
      ['control-plane-us-east-1a', 'spec.image=ami-00000000'],
    ] as const) {
      const edit = ['edit', 'instancegroup', group, '--name', name, '--set', value];
      expect(await account.kopsctl(edit)).toMatchObject({ exitCode: 0 });
    }

    const { exitCode, stderr } = await account.kopsctl(['update', 'cluster', name, '--yes']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`the processors of m6g.large (arm64) do not run the image ${IMAGE} (x86_64)`);
    expect(stderr).toContain(`there is no image ami-00000000 that this account can use in ${REGION}`);
    expect(await account.remains(name)).toEqual({});
  });
});
