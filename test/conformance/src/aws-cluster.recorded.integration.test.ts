import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { type AwsAccount, openAccount } from './aws-account.ts';
import { startFaultProxy } from './aws-faults.ts';
import { startMoto } from './moto.ts';

const cases = casesOf(['minimal-dns-none'], ['complex', 'ha', 'privatecalico']);
/** What is asked of each request and phase shows in the smallest cluster; the other one has three times as many of them. */
const sizes = casesOf(['minimal-aws'], ['privatecalico']);
const moto = await startMoto();

describe.skipIf(moto === undefined)('a cluster in AWS', () => {
  let account: AwsAccount;

  beforeAll(async () => {
    if (moto !== undefined) account = await openAccount(moto);
  });
  afterAll(async () => {
    await account?.close();
    await moto?.stop();
  });

  const nameIn = (spec: string) =>
    /kind: Cluster\nmetadata:[\s\S]*?\n {2}name: (\S+)/.exec(readFileSync(spec, 'utf8'))?.[1] ?? '';

  async function create(name: string): Promise<string> {
    const spec = account.spec(name);
    expect(await account.kopsctl(['create', '-f', spec])).toMatchObject({ exitCode: 0 });
    return nameIn(spec);
  }

  test.each(cases)(
    '%s: is applied, needs no second change, changes only what the spec changes, and is deleted completely',
    async (name) => {
      const cluster = await create(name);
      expect(await account.kopsctl(['update', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
      const { stdout: after } = await account.kopsctl(['update', 'cluster', cluster]);
      expect(after).toContain('No changes');
      // Without DNS names the load balancer's own name leads machines to the API.
      const lead = /"apiLoadBalancer": "(.*)"/.exec(await account.userData(`nodes.${cluster}`))?.[1];
      expect(/^api-.*\.amazonaws\.com$/.test(lead ?? '')).toBe(name === 'minimal-dns-none');

      const set = ['edit', 'instancegroup', 'nodes', '--name', cluster, '--set', 'spec.maxSize=7'];
      expect(await account.kopsctl(set)).toMatchObject({ exitCode: 0 });
      const { stdout: plan } = await account.kopsctl(['update', 'cluster', cluster, '-o', 'json']);
      const planned: { tasks: { id: string; steps: { changes: unknown }[] }[] } = JSON.parse(plan);
      const acting = planned.tasks.filter(({ steps }) => steps.length > 0);
      expect(acting.map(({ id }) => id)).toEqual([`aws/AutoscalingGroup/nodes.${cluster}`]);
      expect(acting[0]?.steps[0]?.changes).toEqual([{ path: 'maxSize', from: expect.any(Number), to: 7 }]);
      expect(await account.kopsctl(['update', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });

      // Before anything is applied, it is said which machines that would leave behind.
      const label = ['edit', 'instancegroup', 'nodes', '--name', cluster, '--set', 'spec.nodeLabels.tier=web'];
      expect(await account.kopsctl(label)).toMatchObject({ exitCode: 0 });
      const { stderr: told } = await account.kopsctl(['update', 'cluster', cluster]);
      expect(told).toMatch(/[1-9]\d* of \d+ machines then run an older plan:\n {2}i-/);

      expect(await account.kopsctl(['delete', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
      expect(await account.remains(cluster)).toEqual({});
    },
  );

  /** One after the other, in the same cluster: creating it is what takes long. */
  describe.each(sizes)('%s', (name) => {
    let spec: string;
    let cluster: string;
    let clean: Awaited<ReturnType<AwsAccount['remains']>>;
    const update = async (...argv: readonly string[]) => account.kopsctl(['update', 'cluster', cluster, ...argv]);
    const created = async (file: string) =>
      expect(await account.kopsctl(['create', '-f', file])).toMatchObject({ exitCode: 0 });

    beforeAll(async () => {
      spec = account.spec(name);
      cluster = nameIn(spec);
      await created(spec);
    });

    test('is created phase by phase', async () => {
      const early = await update('--phase', 'security', '--yes');
      expect(early).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('differs from the spec') });
      for (const phase of ['network', 'security', 'cluster']) {
        expect(await update('--phase', phase, '--yes')).toMatchObject({ exitCode: 0 });
      }
      expect((await update()).stdout).toContain('No changes');
      clean = await account.remains(cluster);
    });

    test('lets one of two concurrent operators win and tells the other who holds the lock since when', async () => {
      const groups = readFileSync(spec, 'utf8').split(/^---$/m);
      const nodes = groups.find((part) => / {2}role: Node/.test(part)) ?? '';
      const extra = `${spec}.extra`;
      writeFileSync(extra, nodes.replace(/^ {2}name: .*$/m, '  name: extra'));
      await created(extra);
      // A process that has run before is far ahead of one that starts.
      await Promise.all([update(), update()]);
      const both = await Promise.all([update('--yes'), update('--yes')]);
      const [won, lost] = both.toSorted((a, b) => a.exitCode - b.exitCode);
      expect([won?.exitCode, lost?.exitCode]).toEqual([0, 1]);
      expect(lost?.stderr).toMatch(/process \d+.*(?:since|for)/s);
      expect((await update()).stdout).toContain('No changes');
    });

    test('keeps resources that were removed from the spec until they are pruned, and prunes nothing else', async () => {
      expect(await account.remains(cluster)).not.toEqual(clean);
      const remove = ['delete', 'instancegroup', 'extra', '--name', cluster, '--yes'];
      expect(await account.kopsctl(remove)).toMatchObject({ exitCode: 0 });
      expect((await update()).stdout).toContain('No longer wanted, kept unless pruning is asked for');
      expect(await update('--prune', '--yes')).toMatchObject({ exitCode: 0 });
      expect(await account.remains(cluster)).toEqual(clean);
    });

    test('keeps resources of the running cluster when pruning, and deletes them with the cluster', async () => {
      await account.makeLeftovers(cluster);
      const before = await account.remains(cluster);
      expect(await update('--prune', '--yes')).toMatchObject({ exitCode: 0 });
      expect(await account.remains(cluster)).toEqual(before);
      expect(await account.kopsctl(['delete', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
      expect(await account.remains(cluster)).toEqual({});
    });

    test('creates nothing twice despite throttling, errors, lost answers and eventual consistency', async () => {
      await created(spec);
      const proxy = await startFaultProxy(moto?.endpoint ?? '', 20_261_121, 40);
      try {
        const applied = await account.kopsctl(['update', 'cluster', cluster, '--yes'], proxy.endpoint);
        expect(applied).toMatchObject({ exitCode: 0 });
        expect(Object.values(proxy.faults).every((count) => count > 0)).toBe(true);
      } finally {
        await proxy.stop();
      }
      expect(await account.remains(cluster)).toEqual(clean);
      expect((await update()).stdout).toContain('No changes');
      expect(await account.kopsctl(['delete', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
      expect(await account.remains(cluster)).toEqual({});
    });
  });

  test('uses and keeps the resources of an existing network', async () => {
    const { vpc, subnet } = await account.makeVpc();
    const spec = account.spec('minimal-aws');
    const shared = readFileSync(spec, 'utf8')
      .replace(/networkCIDR: .*/, `networkID: ${vpc}`)
      .replace(/cidr: 172\.20\.32\.0\/19/, `id: ${subnet}\n    cidr: 10.9.1.0/24`);
    writeFileSync(spec, shared);
    expect(await account.kopsctl(['create', '-f', spec])).toMatchObject({ exitCode: 0 });
    const cluster = nameIn(spec);
    expect(await account.kopsctl(['update', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
    expect((await account.kopsctl(['update', 'cluster', cluster])).stdout).toContain('No changes');
    const {
      VPC,
      'internet gateway': gateways,
      'route table': tables,
      subnet: subnets,
    } = await account.remains(cluster);
    expect([VPC, gateways, tables, subnets]).toEqual([undefined, undefined, undefined, 1]);
    expect(await account.kopsctl(['delete', 'cluster', cluster, '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await account.remains(cluster)).toEqual({});
  });
});
