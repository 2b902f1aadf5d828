import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { cannotRunMachines, type Ended, until } from './cluster.ts';
import { type BareMachines, bareMachines } from './metal/bare-machines.ts';
import { publishedFiles } from './metal/published-files.ts';
import { sshAccess } from './metal/ssh-access.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const NAME = 'enrolled.k8s.local';
/** The table of released hashes does not have it, so that what was built here can stand for it. */
const KUBERNETES = '1.20.2';

interface StoredObject {
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

describe.skipIf(reason !== undefined)('a cluster of machines that no cloud lists', () => {
  let folder: string;
  let machines: BareMachines;
  let address: Readonly<Record<'rack-1' | 'rack-2', string>>;
  let kopsctl: (...argv: readonly string[]) => Promise<Ended>;
  let kubectl: (...argv: readonly string[]) => Promise<string>;

  const succeeds = async (ended: Promise<Ended>): Promise<string> => {
    const { exitCode, stdout, stderr } = await ended;
    if (exitCode !== 0) throw new Error(`${stdout}\n${stderr}`);
    return stdout;
  };

  beforeAll(async () => {
    const prepared = inject('prepared');
    if (prepared === undefined) throw new Error('nothing is prepared');
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-metal-'));
    // The same folder for the person and the control plane, as from a file server that both mount.
    const store = join(folder, 'state');
    const mirror = join(folder, 'mirror');
    await mkdir(mirror);
    const ssh = await sshAccess(folder, mirror);
    const files = await publishedFiles(mirror);
    machines = await bareMachines('metal-rack', { folder, mirror, gateway: '172.30.12.1' });
    const { mirrorUrl } = machines;

    const [containerd, runc, cni, etcd] = [
      files.find('containerd', '1.'),
      files.find('runc'),
      files.find('cni'),
      files.find('etcd-3.4', '3.4.'),
    ];
    const releases = 'https://releases.example.com';
    await files.offer(`${releases}/v0.1.0/kops-agents-linux-amd64`, files.find('agents-amd64'));
    for (const program of ['kubelet', 'kubectl']) {
      const url = `https://dl.k8s.io/release/v${KUBERNETES}/bin/linux/amd64/${program}`;
      await files.offer(url, files.find(program, KUBERNETES));
    }
    const etcdUrl = `https://github.com/etcd-io/etcd/releases/download/v${etcd.version}/etcd-v${etcd.version}-linux-amd64.tar.gz`;
    await files.offer(etcdUrl, etcd);
    for (const file of [containerd, runc, cni]) await files.offer(`${mirrorUrl}/${file.file}`, file);
    const env = {
      KOPS_STATE_STORE: `file://${store}`,
      KOPS_CLUSTER_NAME: NAME,
      KUBECONFIG: join(folder, 'kubeconfig'),
      KOPSCTL_BASE_URL: releases,
      CNI_VERSION_URL: `${mirrorUrl}/${cni.file}`,
      CNI_ASSET_HASH_STRING: cni.sha256,
      PATH: `${ssh.binDir}:${process.env['PATH'] ?? ''}`,
    };
    kopsctl = (...argv) => machines.beside([prepared.kopsctl, ...argv], env);
    kubectl = async (...argv) => succeeds(machines.beside([prepared.kubectl, ...argv], env));

    const script = ssh.serverScript(mirrorUrl);
    const [first, second] = await Promise.all([
      machines.start('rack-1', 'ControlPlane', script),
      machines.start('rack-2', 'Node', script),
    ]);
    address = { 'rack-1': first.address, 'rack-2': second.address };
    for (const host of Object.values(address)) {
      await until(`${host} is reached by SSH`, 120_000, async () =>
        (await machines.beside(['ssh', '-o', 'BatchMode=yes', host, 'true'], env)).exitCode === 0 ? true : undefined,
      );
    }
    // There is no udev in a container: its links by the labels of partitions are made here.
    const on = (...command: readonly string[]) => succeeds(machines.on('rack-1', ...command));
    await on('mkdir', '-p', '/dev/disk/by-partlabel', store);
    for (const disk of ['etcd-main', 'etcd-events']) {
      await on('ln', '-s', await machines.giveDisk('rack-1', disk), `/dev/disk/by-partlabel/${disk}`);
    }
    const shared = await machines.giveDisk('rack-1', 'state');
    await on('mkfs.ext4', '-q', shared);
    await on('mount', shared, store);
    await machines.mountBeside('state', store);

    const wanted = ['--cloud', 'metal', '--zones', 'room-1', '--networking', 'kubenet'];
    const inferred = await succeeds(
      kopsctl('create', 'cluster', NAME, ...wanted, '--kubernetes-version', KUBERNETES, '--dry-run', '-o', 'json'),
    );
    const objects = [JSON.parse(inferred)].flat() as readonly StoredObject[];
    const pinned = (file: typeof containerd) => ({ urlAmd64: `${mirrorUrl}/${file.file}`, hashAmd64: file.sha256 });
    const changed = objects.map((object) =>
      object.kind === 'Cluster'
        ? {
            ...object,
            spec: {
              ...object.spec,
              assets: { fileRepository: mirrorUrl },
              containerd: {
                version: containerd.version,
                packages: pinned(containerd),
                runc: { version: runc.version, packages: pinned(runc) },
                sandboxImage: files.find('image/pause').image,
                // A container in place of a machine may lack the right to lower the OOM scores of its processes.
                configAdditions: { 'plugins."io.containerd.grpc.v1.cri".restrict_oom_score_adj': 'true' },
                // Local machines have a registry with the images that were made here.
                registryMirrors: { '*': ['http://169.254.169.254:5000'] },
              },
              kubeDNS: { coreDNSImage: files.find('image/coredns').image },
              etcdClusters: (object.spec['etcdClusters'] as readonly object[]).map((one) => ({
                ...one,
                version: etcd.version,
              })),
            },
          }
        : object,
    );
    await writeFile(join(folder, 'cluster.json'), changed.map((object) => JSON.stringify(object)).join('\n---\n'));
    await succeeds(kopsctl('create', '-f', join(folder, 'cluster.json')));
    const hashes = join(folder, 'file-hashes.json');
    await writeFile(hashes, JSON.stringify(files.hashes));
    await succeeds(machines.beside(['cp', hashes, `${store}/${NAME}/file-hashes.json`]));
  });
  afterAll(async () => {
    await machines?.destroy();
    await rm(folder, { recursive: true, force: true });
  });

  test('is made by writing its state store, and enrolling each machine by SSH', async () => {
    await succeeds(kopsctl('update', 'cluster', NAME, '--yes'));
    const enrolled = await succeeds(
      kopsctl('toolbox', 'enroll', '--instance-group', 'control-plane-room-1', '--host', address['rack-1']),
    );
    expect(enrolled).toContain(`Enrolled rack-1 (address ${address['rack-1']}, group control-plane-room-1)`);
    await succeeds(kopsctl('toolbox', 'enroll', '--instance-group', 'nodes-room-1', '--host', address['rack-2']));
    await succeeds(kopsctl('export', 'kubecfg', NAME, '--admin', '24h'));
    await until('both Nodes are Ready', 300_000, async () => {
      const nodes = await kubectl('get', 'nodes', '--no-headers');
      return (nodes.match(/^rack-[12] +Ready /gm) ?? []).length === 2 ? true : undefined;
    });
  });

  test('its worker has certificates that the authority had signed, by which the API server knows its kubelet', async () => {
    const requests = await kubectl('get', 'csr', '--no-headers');
    expect(requests).toMatch(/^kops-client-rack-2-\S+ .* kops:node-authority .*Approved,Issued$/m);
    expect(requests).toMatch(/^kops-serving-rack-2-\S+ .* kops:node-authority .*Approved,Issued$/m);
    const ofKubelet = (): Promise<string> => kubectl('logs', '-n', 'kube-system', 'kube-proxy-rack-2', '--tail', '1');
    expect(await until('the log of a pod on the worker', 60_000, ofKubelet)).not.toBe('');
  });

  test('is listed as its machines report themselves', async () => {
    const listed = await succeeds(kopsctl('get', 'nodes'));
    expect(listed).toMatch(/^rack-1 +ControlPlane +control-plane-room-1 .* gossip, 2 members/m);
    expect(listed).toMatch(/^rack-2 +Node +nodes-room-1 .* gossip, 2 members/m);
  });
});
