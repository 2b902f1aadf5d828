import { join } from 'node:path';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRunMachines, testCluster, type TestCluster, until } from './cluster.ts';
import { shell } from './stolen/disk.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

interface Harm {
  readonly title: string;
  /** On which machine the commands are run; the worker by default. */
  readonly on?: 'control plane';
  /** Which machine is asked about; the worker by default. */
  readonly asks?: 'control plane';
  readonly breaks: string;
  readonly mends: string;
  /** What `explain node` says of it. */
  readonly says: RegExp;
}

const DROP_IN = '/etc/systemd/system/kubelet.service.d/test.conf';
/** A percent sign is doubled, for systemd. */
const startsKubeletWith = (flag: string): string =>
  `mkdir -p $(dirname ${DROP_IN}) && { echo '[Service]'; echo ExecStart=; echo "$(systemctl cat kubelet | grep -m1 ^ExecStart=)" "${flag}"; } > ${DROP_IN} && systemctl daemon-reload && systemctl restart --no-block kubelet`;
const STARTS_KUBELET_AS_BEFORE = `rm ${DROP_IN} && systemctl daemon-reload && systemctl restart --no-block kubelet`;

/** A certificate of kubelet's user that has expired long ago, and its key. */
async function expiredPair(): Promise<{ readonly certificate: string; readonly key: string }> {
  const nowMs = Date.now() - 400 * 24 * 60 * 60_000;
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs });
  const subject = { commonName: 'system:node:expired', organizations: ['system:nodes'], usages: ['client'] } as const;
  const { certificatePem, privateKeyPem } = await issueLeaf({ ...subject, authority, validityDays: 30, nowMs });
  return { certificate: certificatePem, key: privateKeyPem };
}
const EXPIRED = await expiredPair();

const PKI = '/var/lib/kubelet/pki';
/** Node authorities would give it another certificate at their next call. */
const NO_AUTHORITY = 'INPUT -p tcp --dport 3987 -j REJECT';

const STATIC_POD = '/etc/kubernetes/manifests/broken.yaml';
/** A static pod of the cluster's own, with an image that is not on the machine. */
const runsStaticPod = (image: string): string => {
  const metadata = { name: 'broken', namespace: 'kube-system' };
  const spec = { hostNetwork: true, containers: [{ name: 'broken', image, imagePullPolicy: 'Always' }] };
  return `echo '${JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec })}' > ${STATIC_POD}`;
};

const KUBELET = '/var/lib/kubelet';
const ENDS_FULL = `systemctl stop kubelet; umount -l ${KUBELET} && umount -l /run/full && rmdir /run/full && systemctl start --no-block kubelet`;
const RUNTIME_CONFIG = '/etc/containerd/config.toml';
/** Answers of DNS servers, and not the questions: refusing these would be an answer. */
const NO_DNS = 'INPUT -p udp --sport 53 -j DROP';
/** The registry of this computer, which local machines ask first, needs no name: without it, only the image's own is asked. */
const OWN_WAY = '/etc/containerd/certs.d/registry.example.com';
const GOES_ITS_OWN_WAY = `mkdir ${OWN_WAY} && echo 'server = "https://registry.example.com"' > ${OWN_WAY}/hosts.toml`;

const MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.manifest';

const USUAL: readonly Harm[] = [
  {
    title: 'a flag that kubelet does not know',
    breaks: startsKubeletWith('--no-such-flag'),
    mends: STARTS_KUBELET_AS_BEFORE,
    says: /kubelet\.service does not run on the machine.*does not understand its flags[^]*--no-such-flag/,
  },
  {
    title: 'a pod network that is not set up',
    breaks: 'mv /etc/cni/net.d /etc/cni/away && mkdir /etc/cni/net.d && systemctl restart containerd',
    mends: 'rmdir /etc/cni/net.d && mv /etc/cni/away /etc/cni/net.d && systemctl restart containerd',
    says: /is not ready: the pod network of the machine is not set up/,
  },
];

const OTHERS: readonly Harm[] = [
  {
    title: 'a disk that kubelet finds full',
    breaks: startsKubeletWith('--eviction-hard=nodefs.available<99%%'),
    mends: STARTS_KUBELET_AS_BEFORE,
    says: /the Node has the condition DiskPressure: a disk of the machine is full/,
  },
  {
    title: 'a kubelet that was stopped',
    breaks: 'systemctl stop kubelet',
    mends: 'systemctl start --no-block kubelet',
    says: /kubelet\.service does not run on the machine, it was stopped/,
  },
  {
    title: 'a runtime that was stopped',
    breaks: 'systemctl stop containerd',
    mends: 'systemctl start containerd',
    says: /containerd\.service does not run on the machine, it was stopped/,
  },
  {
    title: 'a configuration that the runtime cannot read',
    breaks: `cp ${RUNTIME_CONFIG} /root/config.toml && echo 'a = = b' >> ${RUNTIME_CONFIG} && systemctl restart --no-block containerd`,
    mends: `cp /root/config.toml ${RUNTIME_CONFIG} && systemctl restart --no-block containerd`,
    says: /containerd\.service does not run on the machine, .*does not understand its flags or its configuration/,
  },
  {
    title: 'file systems without inodes',
    breaks: [
      'systemctl stop kubelet',
      'mkdir /run/full',
      'mount -t tmpfs -o nr_inodes=400 full /run/full',
      `cp -ax ${KUBELET}/. /run/full/`,
      'for at in $(seq 400); do touch /run/full/$at; done 2>/dev/null; true',
      `mount --bind /run/full ${KUBELET}`,
      'systemctl start --no-block kubelet',
    ].join(' && '),
    mends: ENDS_FULL,
    says: /kubelet\.service does not run on the machine, .*a disk of the machine is full[^]*df -i/,
  },
  {
    title: 'a metadata service and store that are not reached',
    breaks: 'iptables -I OUTPUT -d 169.254.169.254 -j REJECT',
    mends: 'iptables -D OUTPUT -d 169.254.169.254 -j REJECT',
    says: /the machine cannot reach something that it needs[^]*169\.254\.169\.254/,
  },
  {
    title: 'an API server that does not run',
    on: 'control plane',
    breaks: 'mv /etc/kubernetes/manifests/kube-apiserver* /root/',
    mends: 'mv /root/kube-apiserver* /etc/kubernetes/manifests/',
    says: /the Kubernetes API does not answer/,
  },
  {
    // The log of the API server comes by the state store, as from machines of every cloud.
    title: 'of a control plane, a flag that its API server does not know',
    on: 'control plane',
    asks: 'control plane',
    breaks: `cp ${MANIFEST} /root/api && sed -i '0,/^\\( *\\)- --/s//\\1- --no-such-flag\\n\\1- --/' ${MANIFEST}`,
    mends: `cp /root/api ${MANIFEST} && rm /root/api`,
    says: /the Kubernetes API does not answer.*does not understand its flags[^]*--no-such-flag/,
  },
  {
    title: 'a certificate of kubelet that has expired',
    breaks: [
      `iptables -I ${NO_AUTHORITY}`,
      `cp -a ${PKI} /root/pki`,
      `echo '${EXPIRED.key}' > ${PKI}/kubelet-client.key`,
      `echo '${EXPIRED.certificate}' > ${PKI}/kubelet-client.crt`,
      'systemctl restart --no-block kubelet',
    ].join(' && '),
    mends: `cp -a /root/pki/. ${PKI}/ && rm -r /root/pki && iptables -D ${NO_AUTHORITY} && systemctl restart --no-block kubelet`,
    says: /the certificate kubelet-client of the machine has expired/,
  },
  {
    title: 'an image of a static pod that is not where it is looked for',
    breaks: runsStaticPod('127.0.0.1:9/no-such-image:1'),
    mends: `rm ${STATIC_POD}`,
    says: /the pod broken-\S+ is not ready: an image cannot be pulled/,
  },
  {
    title: 'DNS servers that do not answer',
    breaks: `iptables -I ${NO_DNS} && ${GOES_ITS_OWN_WAY} && ${runsStaticPod('registry.example.com/no-such-image:1')}`,
    mends: `rm -r ${STATIC_POD} ${OWN_WAY} && iptables -D ${NO_DNS}`,
    says: /the pod broken-\S+ is not ready: the DNS servers of the machine do not answer/,
  },
  {
    // A file system of its own: that of the machine is the one of the computer that runs the test.
    title: 'a disk that is full',
    breaks: [
      'systemctl stop kubelet',
      'mkdir /run/full',
      'mount -t tmpfs -o size=64m full /run/full',
      `cp -ax ${KUBELET}/. /run/full/`,
      'dd if=/dev/zero of=/run/full/fill bs=1M 2>/dev/null; true',
      `mount --bind /run/full ${KUBELET}`,
      'systemctl start --no-block kubelet',
    ].join(' && '),
    mends: ENDS_FULL,
    says: /a disk of the machine is full/,
  },
];

describe.skipIf(reason !== undefined)('of a broken worker, explain node names', () => {
  let cluster: TestCluster;
  let worker: { readonly name: string; readonly nodeName: string };
  let controlPlane: { readonly name: string };

  beforeAll(async () => {
    cluster = await testCluster(join(import.meta.dirname, 'broken-node.yaml'));
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    if (applied.exitCode !== 0) throw new Error(applied.stderr);
    const machines = await cluster.machines();
    const [node, plane] = ['Node', 'ControlPlane'].map((wanted) => machines.find(({ role }) => role === wanted));
    if (node === undefined || plane === undefined) throw new Error('a machine is missing');
    [worker, controlPlane] = [node, plane];
    await isWell();
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const explained = async (name = worker.nodeName): Promise<string> =>
    (await cluster.kopsctl('explain', 'node', name)).stdout;
  const says = (what: RegExp, name = worker.nodeName): Promise<true> =>
    until<true>(`it says ${String(what)}`, 240_000, async () => {
      const said = await explained(name);
      if (what.test(said)) return true;
      throw new Error(said);
    });
  const isWell = (): Promise<true> =>
    until('nothing is wrong', 120_000, async () =>
      (await explained()).includes('nothing is wrong') ? true : undefined,
    );

  test.each(casesOf(USUAL, OTHERS))('$title', async ({ on, asks, breaks, mends, says: what }) => {
    const machine = on === 'control plane' ? controlPlane.name : worker.name;
    await shell(cluster, machine, breaks);
    try {
      await says(what, asks === undefined ? worker.nodeName : controlPlane.name);
    } finally {
      await shell(cluster, machine, mends);
    }
    expect(await isWell()).toBe(true);
  });

  test('a Node that was deleted while its kubelet ran', async () => {
    await cluster.kubectl('delete', 'node', worker.nodeName);
    await says(/the Node was deleted while its kubelet ran[^]*`systemctl restart kubelet`/);
    await shell(cluster, worker.name, 'systemctl restart kubelet');
    expect(await isWell()).toBe(true);
  });

  test('a machine that does not run', async () => {
    await cluster.stop(worker.name);
    expect(await explained()).toMatch(/the machine is (?:off|stopped)/);
    expect(await explained('nodes')).toContain(`not healthy in the instance group nodes: ${worker.nodeName}`);
    await cluster.start(worker.name);
    expect(await isWell()).toBe(true);
  });
});
