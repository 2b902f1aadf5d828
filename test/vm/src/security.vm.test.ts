import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { knownSecrets } from '@kopsctl/actions/dump/known-secrets.ts';
import { apiRights } from '@kopsctl/test-conformance/api-rights.ts';
import { kubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import { parseSigningRequest, REQUESTS, SIGNERS } from '@kopsctl/node-authority/certificates/signing-request.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CA_FILE, KUBELET_SERVER } from '@kopsctl/spec/node-paths.ts';
import { cannotRunMachines, testCluster, type TestCluster, until } from './cluster.ts';
import { filesWithCredentials, hiddenFiles, readableBy, shell } from './stolen/disk.ts';
import { answersOf, hearers, listeners, services } from './stolen/network.ts';
import { recorded } from './stolen/recorded.ts';
import { describeRevocation } from './stolen/revocation.ts';
import { requests, signedFor, type SigningWish } from './stolen/signing.ts';
import { allowed, objectsOf } from './stolen/store.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

const INSTANCE = 'http://169.254.169.254/v1/instance';

const pod = (name: string, node: string, hostNetwork: boolean): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  nodeName: ${node}
  hostNetwork: ${hostNetwork}
  terminationGracePeriodSeconds: 0
  containers: [{name: shell, image: 'busybox:1.37.0', command: [sleep, '3600']}]
`;

describe.skipIf(reason !== undefined)('a cluster under attack', () => {
  let cluster: TestCluster;
  let nodes: Awaited<ReturnType<TestCluster['machines']>>;

  beforeAll(async () => {
    cluster = await testCluster(join(import.meta.dirname, 'security.yaml'));
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    if (applied.exitCode !== 0) throw new Error(applied.stderr);
    nodes = await cluster.machines();
    const file = join(dirname(cluster.kubeconfig), 'pods.yaml');
    const pods = nodes.flatMap(({ name, nodeName }) => [
      pod(`inside-${name}`, nodeName, false),
      pod(`host-${name}`, nodeName, true),
    ]);
    await writeFile(file, pods.join('---'));
    await cluster.kubectl('apply', '-f', file);
    const names = nodes.flatMap(({ name }) => [`pod/inside-${name}`, `pod/host-${name}`]);
    await cluster.kubectl('wait', '--for=condition=Ready', ...names, '--timeout=120s');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const asks = (name: string): Promise<string> =>
    cluster.kubectl('exec', name, '--', 'wget', '-q', '-T', '3', '-O', '-', INSTANCE);

  test('its pods get no answer from the metadata service, on workers and control planes', async () => {
    expect(nodes).toHaveLength(3);
    for (const { name } of nodes) {
      // The service answers the machine: it runs.
      expect(await asks(`host-${name}`)).toContain(`"instanceId":"${name}"`);
      await expect(asks(`inside-${name}`)).rejects.toThrow('timed out');
    }
  });

  test('a support bundle of it explains its machines, and holds none of its secrets', async () => {
    const planted = 'planted-0123456789abcdef';
    await cluster.kubectl('create', 'secret', 'generic', 'planted', `--from-literal=password=${planted}`);
    const dir = join(dirname(cluster.kubeconfig), 'bundle');
    expect(await cluster.kopsctl('toolbox', 'dump', '--dir', dir)).toMatchObject({ exitCode: 0 });
    const files = await readdir(dir, { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining([
        'cluster/pods.json',
        'store/config',
        ...nodes.flatMap(({ name, nodeName }) => [
          `machines/${name}/console.txt`,
          `machines/${name}/journal.txt`,
          `store/nodes/${nodeName}/boot-report.json`,
        ]),
      ]),
    );
    expect(files.filter((path) => path.endsWith('.failed.txt'))).toEqual([]);
    const store = await openStore(`file://${join(dirname(cluster.kubeconfig), 'state')}`, {});
    const secrets = await knownSecrets(store, cluster.name, new AbortController().signal);
    expect(secrets.length).toBeGreaterThan(5);
    // Each line of a key in PEM but the first and the last is secret by itself.
    const lines = secrets.flatMap((one) =>
      Buffer.from(one)
        .toString('utf8')
        .split('\n')
        .filter((line) => line.length > 20),
    );
    const found = await execa('grep', ['-rlFf', '-', dir], {
      input: [
        planted,
        Buffer.from(planted).toString('base64'),
        ...lines.filter((line) => !line.startsWith('-----')),
      ].join('\n'),
      reject: false,
    });
    expect(found).toMatchObject({ exitCode: 1, stdout: '' });
  });

  test('its kubelets serve with certificates of their own CA, by which the API server knows them', async () => {
    for (const { name } of nodes) {
      const { stdout } = await cluster.on(name, 'openssl', 'x509', '-noout', '-issuer', '-in', `${KUBELET_SERVER}.crt`);
      expect(stdout).toContain('kubelet-serving-ca');
      expect(await cluster.kubectl('exec', `inside-${name}`, '--', 'echo', 'verified')).toContain('verified');
    }
  });

  test('its API servers say nothing to a kubelet with a certificate of its own making', async () => {
    const worker = nodes.find(({ role }) => role === 'Node') ?? { name: '', nodeName: '', address: '' };
    const echo = (): Promise<string> => cluster.kubectl('exec', `inside-${worker.name}`, '--', 'echo', 'verified');
    const pair = [`${KUBELET_SERVER}.crt`, `${KUBELET_SERVER}.key`];
    const keep = pair.map((path) => `cp -p ${path} ${path}.own`).join(' && ');
    const names = `-subj /O=system:nodes/CN=system:node:${worker.nodeName} -addext subjectAltName=IP:${worker.address}`;
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
    const make = `openssl req -x509 ${key} ${names} -out ${pair[0]} -keyout ${pair[1]}`;
    await shell(cluster, worker.name, `${keep} && ${make} && systemctl restart kubelet`);
    try {
      await until('the kubelet serves with it', 60_000, async () =>
        echo().then(
          () => undefined,
          (error: unknown) => (/x509: certificate signed by unknown authority/.test(String(error)) ? true : undefined),
        ),
      );
    } finally {
      const back = pair.map((path) => `mv ${path}.own ${path}`).join(' && ');
      await shell(cluster, worker.name, `${back} && systemctl restart kubelet`);
    }
    const again = await until('it is talked to again', 60_000, async () => echo().catch(() => undefined));
    expect(again).toContain('verified');
  });

  test('the user of the authority has the broker alone, and not the rights of its machine', async () => {
    const name = nodes.find(({ role }) => role === 'ControlPlane')?.name ?? '';
    const ran = async (...command: readonly string[]): Promise<string> => (await cluster.on(name, ...command)).stdout;
    const asAuthority = ['runuser', '-u', 'kops-node-authority', '--'];
    const connects = ['timeout', '3', 'bash', '-c', 'exec 3<>/dev/tcp/169.254.169.254/80'];
    expect((await cluster.on(name, ...connects)).exitCode).toBe(0);
    expect((await cluster.on(name, ...asAuthority, ...connects)).exitCode).not.toBe(0);

    const folder = '/run/kops-authority';
    expect((await ran('stat', '-c', '%U:%G %a', folder, `${folder}/broker.sock`)).trim().split('\n')).toEqual([
      'root:kops-node-authority 750',
      'root:kops-node-authority 660',
    ]);
    expect((await cluster.on(name, ...asAuthority, 'ls', folder)).exitCode).toBe(0);
    expect((await cluster.on(name, ...asAuthority, 'touch', `${folder}/other`)).exitCode).not.toBe(0);
    expect((await cluster.on(name, 'runuser', '-u', 'nobody', '--', 'ls', folder)).exitCode).not.toBe(0);
  });

  test('a kubelet sets no label that routes, names and places of pods are made of', async () => {
    const worker = (await cluster.machines()).find(({ role }) => role === 'Node');
    if (worker === undefined) throw new Error('the cluster has no worker');
    const patch = async (body: object): Promise<string> => {
      const client = '/var/lib/kubelet/pki/kubelet-client';
      const sent = ['-X', 'PATCH', '-H', 'content-type: application/merge-patch+json', '-d', JSON.stringify(body)];
      const as = [
        '--cert',
        `${client}.crt`,
        '--key',
        `${client}.key`,
        '--cacert',
        CA_FILE,
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
      ];
      const url = `https://api.internal.${cluster.name}/api/v1/nodes/${worker.nodeName}`;
      const { stdout } = await cluster.on(worker.name, 'curl', ...as, ...sent, url);
      return stdout.trim();
    };
    expect(await patch({ metadata: { annotations: { 'example.com/own': 'true' } } })).toBe('200');
    for (const label of [
      'kopsctl.node-restriction.kubernetes.io/address',
      'kopsctl.node-restriction.kubernetes.io/pod-network',
      'dns.alpha.kubernetes.io/external',
      'kops.k8s.io/instancegroup',
      'node-role.kubernetes.io/control-plane',
    ]) {
      expect([label, await patch({ metadata: { labels: { [label]: 'forged' } } })]).toEqual([label, '403']);
    }
  });

  test('either of two bars keeps its pods out, and nothing else does', async () => {
    const [{ name } = { name: '' }] = nodes;
    const rule = ['from', '169.254.169.254', 'lookup', '100'];
    const inNetwork = async (...command: readonly string[]): Promise<unknown> =>
      execa('nsenter', [`--net=${await cluster.networkNamespace()}`, ...command]);
    const guard = async (command: 'restart' | 'flush'): Promise<void> => {
      const argv =
        command === 'flush'
          ? ['iptables', '-w', '-t', 'raw', '-F', 'PREROUTING']
          : ['systemctl', 'restart', 'metadata-guard.service'];
      expect((await cluster.on(name, ...argv)).exitCode).toBe(0);
    };
    await guard('flush');
    await expect(asks(`inside-${name}`)).rejects.toThrow('timed out');
    await inNetwork('ip', 'rule', 'del', ...rule);
    expect(await asks(`inside-${name}`)).toContain(`"instanceId":"${name}"`);
    await guard('restart');
    await expect(asks(`inside-${name}`)).rejects.toThrow('timed out');
    await inNetwork('ip', 'rule', 'add', ...rule);
  });

  describe('and a thief who has all of a worker', () => {
    const machineKey = '/var/lib/kops/machine.key';
    const kubelet = '/var/lib/kubelet/pki/kubelet-client';
    const workers = () => nodes.filter(({ role }) => role === 'Node');
    const thief = () => workers()[0] ?? { name: '', nodeName: '', address: '' };
    const victim = () => workers()[1] ?? { name: '', nodeName: '', address: '' };
    const controlPlane = () =>
      nodes.find(({ role }) => role === 'ControlPlane') ?? { name: '', nodeName: '', address: '' };
    const journal = (unit: string, since: string): Promise<string> =>
      shell(cluster, controlPlane().name, `journalctl -u ${unit} --since '${since}' --no-pager -o cat`);
    // To the microsecond: what the last test waited for may have been logged within this second.
    const now = (): Promise<string> => shell(cluster, controlPlane().name, "date '+%Y-%m-%d %H:%M:%S.%6N'");

    /** A client of the API as somebody else. */
    async function asUser(name: string, user: object): Promise<KubeClient> {
      const view = JSON.parse(await cluster.kubectl('config', 'view', '--raw', '--minify', '-o', 'json')) as object;
      const file = join(dirname(cluster.kubeconfig), `${name}.kubeconfig`);
      const users = [{ name: 'user', user }];
      const { clusters } = view as { readonly clusters: readonly { readonly name: string }[] };
      const contexts = [{ name: 'it', context: { cluster: clusters[0]?.name, user: 'user' } }];
      const config = { ...view, users, contexts, 'current-context': 'it' };
      await writeFile(file, JSON.stringify(config), { mode: 0o600 });
      return kubeClient(file);
    }

    const soon = (): AbortSignal => AbortSignal.timeout(120_000);

    test('finds on its disk what is recorded', async () => {
      const hidden = await hiddenFiles(cluster, thief().name);
      expect(hidden).toEqual(await recorded('hidden-files', hidden));
      const credentials = await filesWithCredentials(cluster, thief().name);
      expect(credentials).toEqual(await recorded('credentials', credentials));
    });

    test('gets nothing of the state store, and of the metadata service what is recorded', async () => {
      const objects = await objectsOf(join(dirname(cluster.kubeconfig), 'state'));
      expect(objects.length).toBeGreaterThan(20);
      const paths = objects.map((object) => `/state/${object}`);
      const requests = [
        ...paths.flatMap((path) => [`GET ${path}`, `PUT ${path}`, `DELETE ${path}`]),
        `PUT /state/${cluster.name}/new`,
        `PUT /state/${cluster.name}/addons/new.yaml`,
        ...['', '/', `/?list=${cluster.name}/`, `/?list=`, '/../state/', `/${cluster.name}/x/../pki`].map(
          (path) => `GET /state${path}`,
        ),
        ...['instance', 'machines', 'volumes', 'identity-key'].map((path) => `GET /v1/${path}`),
        ...(await cluster.volumes()).flatMap((volume) => [
          `POST /v1/volumes/${volume}/attach`,
          `POST /v1/volumes/${volume}/detach`,
        ]),
        'GET /assets/../../../etc/shadow',
        'GET /assets/%2e%2e%2f%2e%2e%2fetc%2fshadow',
      ];
      const answered = await allowed(cluster, thief().name, requests);
      expect(answered.filter((line) => line.includes('/state'))).toEqual([]);
      expect(answered).toEqual(await recorded('metadata', answered));
    });

    test('is answered by the ports of other machines and by Services as recorded', async () => {
      const credentials = { cert: `${kubelet}.crt`, key: `${kubelet}.key` };
      const told: string[] = [];
      for (const machine of [controlPlane(), victim()]) {
        told.push(`# ${machine.name}`, ...(await hearers(cluster, machine)));
        for (const listener of await listeners(cluster, machine)) {
          told.push(...(await answersOf(cluster, thief().name, listener, credentials)));
        }
      }
      told.push('# Services');
      for (const service of await services(cluster)) {
        told.push(...(await answersOf(cluster, thief().name, service, credentials)));
      }
      expect(told).toEqual(await recorded('network', told));
    });

    test('may ask of the API what is recorded, as the worker and as the pods of workers', async () => {
      const admin = kubeClient(cluster.kubeconfig);
      const [cert, key] = [
        await shell(cluster, thief().name, `base64 -w0 ${kubelet}.crt`),
        await shell(cluster, thief().name, `base64 -w0 ${kubelet}.key`),
      ];
      const worker = await asUser('worker', { 'client-certificate-data': cert, 'client-key-data': key });
      const told = ['# the worker', ...(await apiRights(admin, worker, soon()))];
      for (const { namespace, name } of await accountsOnWorkers()) {
        const token = await cluster.kubectl('create', 'token', name, '-n', namespace);
        const account = await asUser(`${namespace}-${name}`, { token: token.trim() });
        told.push(`# ${namespace}/${name}`, ...(await apiRights(admin, account, soon())));
      }
      expect(told).toEqual(await recorded('api', told));
    });

    /** The service accounts of pods on workers: the thief has their tokens. */
    async function accountsOnWorkers(): Promise<readonly { readonly namespace: string; readonly name: string }[]> {
      const list = JSON.parse(await cluster.kubectl('get', 'pods', '-A', '-o', 'json')) as {
        readonly items: readonly {
          readonly metadata: { readonly namespace: string };
          readonly spec: { readonly nodeName?: string; readonly serviceAccountName?: string };
        }[];
      };
      const names = new Set(workers().map(({ nodeName }) => nodeName));
      const accounts = list.items
        // A pod that kubelet runs from a file on the disk has none.
        .filter(({ spec }) => names.has(spec.nodeName ?? '') && spec.serviceAccountName !== undefined)
        .map(({ metadata, spec }) => `${metadata.namespace}/${spec.serviceAccountName}`);
      return [...new Set(accounts)].toSorted().map((account) => {
        const [namespace = '', name = ''] = account.split('/');
        return { namespace, name };
      });
    }

    /** What the authorities say of a machine that proves who it is with another key. */
    async function refusedWithKey(machine: string, key: string | undefined): Promise<string> {
      const since = (await now()).trim();
      const put = key === undefined ? `rm ${machineKey}` : `echo ${key} | base64 -d > ${machineKey}`;
      await shell(cluster, machine, `cp -p ${machineKey} ${machineKey}.own && ${put} && systemctl restart protokube`);
      try {
        // An authority would call an enrolled machine minutes later.
        await shell(cluster, controlPlane().name, 'systemctl restart node-authority');
        return await until(
          'an authority refuses it',
          60_000,
          async () => /refused[^\n]*/.exec(await journal('node-authority', since))?.[0],
        );
      } finally {
        await shell(cluster, machine, `mv ${machineKey}.own ${machineKey} && systemctl restart protokube`);
      }
    }

    test('cannot be the other worker with its own key, nor itself with another one', async () => {
      const key = await shell(cluster, thief().name, `base64 -w0 ${machineKey}`);
      const reason = 'it has another key than at its first attestation';
      expect(await refusedWithKey(victim().name, key)).toContain(reason);
      expect(await refusedWithKey(thief().name, undefined)).toContain(reason);
      // The log does not wait for the event.
      const areTold = async (): Promise<true | undefined> => {
        const told = await cluster.kubectl('get', 'events', '--field-selector=reason=AttestationRefused', '-o', 'name');
        return [thief(), victim()].every(({ nodeName }) => told.includes(nodeName)) ? true : undefined;
      };
      expect(await until('events tell of both', 30_000, areTold)).toBe(true);
    });

    test('with another key is not a worker either while its Node is not ready or gone: what runs there does not take its place', async () => {
      await shell(cluster, thief().name, 'systemctl stop kubelet');
      try {
        const unknown = { status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] } };
        const patch = ['--subresource', 'status', '--patch', JSON.stringify(unknown)];
        await cluster.kubectl('patch', 'node', thief().nodeName, ...patch);
        expect(await cluster.kubectl('get', 'node', thief().nodeName, '--no-headers')).toMatch(/ NotReady /);
        expect(await refusedWithKey(thief().name, undefined)).toContain('another key than at its first attestation');
        await cluster.kubectl('delete', 'node', thief().nodeName);
        expect(await refusedWithKey(thief().name, undefined)).toContain('another key than at its first attestation');
      } finally {
        await shell(cluster, thief().name, 'systemctl start --no-block kubelet');
      }
      const isBack = async (): Promise<true | undefined> =>
        / Ready /.test(await cluster.kubectl('get', 'node', thief().nodeName, '--no-headers')) ? true : undefined;
      expect(await until('its kubelet registers it again', 60_000, isBack)).toBe(true);
    });

    test('whose certificates ended while no authority called is a worker again by itself', async () => {
      const [name, on] = [thief().nodeName, thief().name];
      const store = await openStore(`file://${join(dirname(cluster.kubeconfig), 'state')}`, {});
      const authority = (await readKeyset(store, cluster.name, 'kubernetes-ca'))?.keyset;
      if (authority === undefined) throw new Error('the cluster has no CA');
      const ended = await issueLeaf({
        authority,
        commonName: `system:node:${name}`,
        organizations: ['system:nodes'],
        usages: ['client'],
        validityDays: 3,
        nowMs: Date.now() - 5 * 24 * 60 * 60_000,
      });
      const asKubelet = async (): Promise<string> => {
        const as = ['--cert', `${kubelet}.crt`, '--key', `${kubelet}.key`, '--cacert', CA_FILE];
        const url = `https://api.internal.${cluster.name}/api/v1/nodes/${name}`;
        return (await cluster.on(on, 'curl', '-s', '-o/dev/null', '-w%{http_code}', ...as, url)).stdout.trim();
      };
      // Empty for a Node that was just registered: its lease went with the one before it.
      const renewed = (): Promise<string> =>
        cluster.kubectl(
          'get',
          'lease',
          '-n',
          'kube-node-lease',
          name,
          '--ignore-not-found',
          '-o',
          'jsonpath={.spec.renewTime}',
        );
      const put = (path: string, text: string): string =>
        `echo ${Buffer.from(text).toString('base64')} | base64 -d > ${path}`;
      await shell(cluster, controlPlane().name, 'systemctl stop node-authority');
      try {
        const stopped = ['systemctl stop kubelet protokube', put(`${kubelet}.crt`, ended.certificatePem)];
        const started = [put(`${kubelet}.key`, ended.privateKeyPem), 'systemctl start --no-block protokube kubelet'];
        await shell(cluster, on, [...stopped, ...started].join(' && '));
        expect(await asKubelet()).toBe('401');
      } finally {
        await shell(cluster, controlPlane().name, 'systemctl start node-authority');
      }
      const before = await renewed();
      const isBack = async (): Promise<true | undefined> =>
        (await asKubelet()) === '200' && (await renewed()) > before ? true : undefined;
      expect(await until('its kubelet is back', 60_000, isBack)).toBe(true);
    });

    test('has nothing signed by kube-controller-manager, even with what the authority may do, but certificates of kubelets', async () => {
      const on = controlPlane().name;
      const credentials = async (machine: string, path: string): Promise<object> => ({
        'client-certificate-data': await shell(cluster, machine, `base64 -w0 ${path}.crt`),
        'client-key-data': await shell(cluster, machine, `base64 -w0 ${path}.key`),
      });
      const worker = await asUser('worker-signing', await credentials(thief().name, kubelet));
      const authority = await asUser('authority', await credentials(on, '/etc/kops/node-authority/client'));
      const client = { signer: SIGNERS.client, usage: 'client auth' } as const;
      const serving = { signer: SIGNERS.serving, usage: 'server auth' } as const;
      const nodes = '/O=system:nodes/CN=system:node';
      const told: string[] = [];
      // The authority would deny what it has not asked for.
      await shell(cluster, on, 'systemctl stop node-authority');
      try {
        const own = { ...client, subject: `${nodes}:${thief().nodeName}` };
        expect(await requests(worker, 'own', own)).toBe(undefined);
        const wishes: Readonly<Record<string, SigningWish>> = {
          'an administrator': { ...client, subject: '/O=system:masters/CN=system:node:thief' },
          'a node and administrator': { ...client, subject: '/O=system:nodes/O=system:masters/CN=system:node:thief' },
          'an administrator, of the signer for clients': {
            ...client,
            signer: 'kubernetes.io/kube-apiserver-client',
            subject: '/O=system:masters/CN=thief',
          },
          'a user, of the signer for clients': {
            ...client,
            signer: 'kubernetes.io/kube-apiserver-client',
            subject: '/CN=thief',
          },
          'a kubelet under another name': { ...client, subject: '/O=system:nodes/CN=admin' },
          'a kubelet with names': { ...client, subject: `${nodes}:thief`, names: 'DNS:kubernetes' },
          'a server that is not a kubelet': { ...serving, subject: '/CN=kubernetes', names: 'DNS:kubernetes' },
          'a CA': { ...serving, subject: `${nodes}:thief`, names: 'DNS:thief', isCa: true },
          'a kubelet, for ten years': { ...client, subject: `${nodes}:thief` },
          'a server of a kubelet, for ten years': { ...serving, subject: `${nodes}:thief`, names: 'DNS:thief' },
        };
        for (const [what, wish] of Object.entries(wishes)) {
          const name = what.toLowerCase().replaceAll(/[^a-z]+/g, '-');
          told.push(`${what}: ${await signedFor(authority, name, wish)}`);
        }
        // The request `own` was put before all of them.
        expect(parseSigningRequest(await authority.get(`${REQUESTS}/own`, soon()))).toMatchObject({
          decision: 'none',
          certificate: undefined,
        });
      } finally {
        await shell(cluster, on, 'systemctl start node-authority');
      }
      expect(told).toEqual(await recorded('signing', told));
    });

    test('and of the authority’s user, who is not root, reads what is recorded', async () => {
      const readable = await readableBy(cluster, controlPlane().name, 'kops-node-authority');
      expect(readable).toEqual(await recorded('authority', readable));
    });
  });

  describe('and a worker that is revoked because it was stolen', () => {
    describeRevocation(() => cluster);
  });
});
