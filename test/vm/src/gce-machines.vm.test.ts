import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type GceCluster, gceCluster } from './gce/gce-cluster.ts';
import type { WantedMachine } from './gce/google-protocol.ts';

const prepared = inject('prepared');
const METADATA = 'http://169.254.169.254/computeMetadata/v1/instance';
const INSTANCE_NAME = `${METADATA}/name`;
const TOKEN = `${METADATA}/service-accounts/default/token`;
const KUBECTL = ['/usr/local/bin/kubectl', '--kubeconfig=/var/lib/kops/kubeconfig'];

/**
 * Machines that boot as in GCE: from the user-data of templates that kopsctl made by Google's API, against a metadata server,
 * a bucket in which their accounts have the rights that kopsctl gave them, disks that they attach themselves, and tokens by
 * which the worker proves which machine it is. Google is a server that is held to its own schema; the bucket is fake-gcs-server.
 */
describe.skipIf(prepared === undefined)('machines of a cluster in GCE', { timeout: 600_000 }, () => {
  let cluster: GceCluster;
  let controlPlane: WantedMachine;
  let worker: WantedMachine;

  beforeAll(async () => {
    if (prepared === undefined) return;
    cluster = await gceCluster(prepared, RECOMMENDED_KUBERNETES);
    const [one, other] = cluster.machines.toSorted((a, b) => Number(b.isControlPlane) - Number(a.isControlPlane));
    if (one === undefined || other === undefined) throw new Error('kopsctl made fewer than two machines');
    [controlPlane, worker] = [one, other];
  }, 600_000);
  afterAll(() => cluster?.destroy());

  const kubectl = (...args: readonly string[]) => cluster.on(controlPlane, ...KUBECTL, ...args);

  test('become Nodes that are ready, the worker once it has proven itself by its token', async () => {
    const statuses = [
      'get',
      'nodes',
      '-o',
      'jsonpath={range .items[*]}{.metadata.name} {.status.conditions[-1].status}{"\\n"}{end}',
    ];
    const ready = [controlPlane, worker].map(({ name }) => `${name} True`).toSorted();
    await expect
      .poll(async () => (await kubectl(...statuses).catch(() => '')).trim().split('\n').toSorted(), {
        timeout: 540_000,
        interval: 2000,
      })
      .toEqual(ready);
    expect(await cluster.on(worker, 'ls', '/srv/kubernetes')).not.toContain('kube-apiserver');
    expect(await cluster.on(controlPlane, 'journalctl', '-u', 'node-authority', '-o', 'cat')).toContain(worker.name);
  });

  test('have etcd on disks that the control plane attached itself', async () => {
    const mounts = await cluster.on(controlPlane, 'findmnt', '--noheadings', '--output', 'TARGET,FSTYPE', '--list');
    expect(mounts).toMatch(/\/mnt\/etcd-main\s+ext4/);
    expect(mounts).toMatch(/\/mnt\/etcd-events\s+ext4/);
    expect(await cluster.on(controlPlane, 'ls', '/dev/disk/by-id')).toContain('google-a-etcd-main-');
  });

  test('tell the load balancer outside whether the API server is ready', async () => {
    const address = (await cluster.on(controlPlane, 'hostname', '--all-ip-addresses')).split(' ')[0];
    const check = ['curl', '--silent', '--output', '/dev/null', '--write-out', '%{http_code}'];
    expect(await cluster.beside(...check, `http://${address}:3990/healthz`)).toBe('200');
  });

  test('are told of themselves by the metadata server, of which their pods get no answer', async () => {
    const asks = ['curl', '--silent', '--max-time', '5', '--header', 'Metadata-Flavor: Google', INSTANCE_NAME];
    for (const machine of [controlPlane, worker]) expect(await cluster.on(machine, ...asks)).toBe(machine.name);
    // The network of a pod that is scheduled, with the programs of its machine: the pod's image need not be there.
    const networks = () => cluster.on(controlPlane, 'ip', 'netns', 'list');
    await expect.poll(networks, { timeout: 60_000, interval: 1000 }).toMatch(/^cni-/);
    const [network = ''] = (await networks()).split(/\s/);
    const inside = ['ip', 'netns', 'exec', network, ...asks];
    await expect(cluster.on(controlPlane, ...inside)).rejects.toThrow('curl');
  });

  test('ask for nothing that they may not, in a form that Google publishes', async () => {
    expect(await cluster.google.ask({ ask: 'report' })).toEqual({ violations: [], refused: [] });
  });

  test('may not list the bucket as a worker, and may as a control plane', async () => {
    const status = async (machine: WantedMachine): Promise<string> => {
      const asked = ['curl', '--silent', '--header', 'Metadata-Flavor: Google', TOKEN];
      const { access_token: token }: { access_token: string } = JSON.parse(await cluster.on(machine, ...asked));
      const lists = ['curl', '--silent', '--output', '/dev/null', '--write-out', '%{http_code}'];
      return cluster.on(machine, ...lists, '--header', `Authorization: Bearer ${token}`, cluster.objectsUrl);
    };
    expect([await status(worker), await status(controlPlane)]).toEqual(['403', '200']);
  });
});
