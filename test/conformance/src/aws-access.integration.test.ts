import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type AwsAccount, openAccount } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();
const TIMEOUT_MS = 120_000;

interface ShownMachine {
  readonly name: string;
  readonly nodeName: string;
  readonly role: string;
  readonly instanceGroup: string;
  readonly address: string;
  readonly state: string;
}

/** No machine boots at this server: the commands show the API's address, and that it does not answer. */
describe.skipIf(moto === undefined)('access to a cluster in AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;
  beforeAll(async () => {
    account = await openAccount(moto);
  });
  afterAll(async () => {
    await account.close();
    await moto.stop();
  });

  const make = async (name: string, ...more: readonly string[]): Promise<void> => {
    const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', 'ami-785db401', '--networking', 'cni'];
    const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium', '--node-count', '2'];
    const created = await account.kopsctl(['create', 'cluster', '--name', name, ...place, ...sizes, ...more]);
    expect(created).toMatchObject({ exitCode: 0 });
    const updated = await account.kopsctl(['update', 'cluster', name, '--yes', '--max-task-duration', '60s']);
    expect(updated).toMatchObject({ exitCode: 0 });
  };
  const machines = async (name: string): Promise<readonly ShownMachine[]> => {
    const { stdout } = await account.kopsctl(['get', 'machines', '--name', name, '-o', 'json']);
    return JSON.parse(stdout) as readonly ShownMachine[];
  };
  const exported = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const { stdout } = await account.kopsctl(['export', 'kubeconfig', name]);
    const path = /\((.+)\)/.exec(stdout)?.[1] ?? '';
    const { clusters } = parse(await readFile(path, 'utf8')) as {
      clusters: { name: string; cluster: Record<string, string> }[];
    };
    return clusters.find((one) => one.name === name)?.cluster ?? {};
  };

  test(
    'lists the machines of its groups and finds the API through its DNS names',
    { timeout: TIMEOUT_MS },
    async () => {
      await make('dns.example.com', '--dns-zone', 'example.com');
      const shown = await machines('dns.example.com');
      expect(shown.map(({ role, instanceGroup, state }) => `${role} ${instanceGroup} ${state}`).toSorted()).toEqual([
        'ControlPlane control-plane-us-east-1a running',
        'Node nodes-us-east-1a running',
        'Node nodes-us-east-1a running',
      ]);
      for (const { name, nodeName, address } of shown) {
        expect(nodeName).toBe(name);
        expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      }
      const { server, 'tls-server-name': tlsServerName } = await exported('dns.example.com');
      expect([server, tlsServerName]).toEqual(['https://api.dns.example.com', undefined]);
      const { exitCode, stdout } = await account.kopsctl(['validate', 'cluster', 'dns.example.com']);
      expect(exitCode).toBe(2);
      expect(stdout).toContain('https://api.dns.example.com');
    },
  );

  test('finds the API through its load balancer and its own name without DNS', { timeout: TIMEOUT_MS }, async () => {
    await make('gossiper1.k8s.local');
    const { server, 'tls-server-name': tlsServerName } = await exported('gossiper1.k8s.local');
    expect(server).toMatch(/^https:\/\/api-gossiper1-k8s-local-[^/]+\.amazonaws\.com$/);
    expect(tlsServerName).toBe('api.internal.gossiper1.k8s.local');
    // The resources of the other cluster in the account are not shown.
    expect((await machines('gossiper1.k8s.local')).map(({ role }) => role).toSorted()).toEqual([
      'ControlPlane',
      'Node',
      'Node',
    ]);
  });

  test(
    'lists no machines of a cluster that is only stored, and names the command that creates them',
    { timeout: TIMEOUT_MS },
    async () => {
      const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', 'ami-785db401', '--networking', 'cni'];
      const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium'];
      await account.kopsctl(['create', 'cluster', '--name', 'plan.k8s.local', ...place, ...sizes]);
      expect(await machines('plan.k8s.local')).toEqual([]);
      const { exitCode, stderr } = await account.kopsctl(['validate', 'cluster', 'plan.k8s.local']);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('kopsctl update cluster --yes');
    },
  );
});
