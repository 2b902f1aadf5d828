import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { isRunningSince } from '@kopsctl/machine-facts/see-process.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LocalCloud, openLocalCloud } from '../supervisor/client.ts';
import { cgroupMounts, clustersWithGroups } from '../nspawn/cgroups.ts';
import { collectClusterGarbage } from '../supervisor/collect-garbage.ts';
import { livingHolder } from '../supervisor/holder.ts';
import { clusterPaths } from '../records/cluster-paths.ts';
import { preflight } from '../preflight/preflight.ts';
import type { MachineSpec } from '../records/records.ts';

const CLUSTER = `test-${process.pid}.example.com`;

const refusal = await preflight({ packages: true }).then(
  () => undefined,
  (error: unknown) => messageOf(error),
);
if (refusal !== undefined) process.stderr.write(`skipping the tests of local machines: ${refusal}\n`);

const signal = (): AbortSignal => AbortSignal.timeout(60_000);

describe.skipIf(refusal !== undefined)('a local machine', () => {
  // In /var, because /tmp may be a tmpfs without enough space for disks of machines.
  const root = refusal === undefined ? mkdtempSync('/var/tmp/kopsctl-test-') : '';
  const dir = join(root, 'local');
  const assetsDir = join(root, 'assets');
  const stateDir = join(root, 'state');
  const cloud: LocalCloud = openLocalCloud({ cluster: CLUSTER, dir });

  beforeAll(async () => {
    for (const folder of ['node-plans', 'worker-plans', 'pki/private/kubernetes-ca', 'pki/issued/kubernetes-ca']) {
      mkdirSync(join(stateDir, CLUSTER, folder), { recursive: true });
    }
    for (const folder of ['node-plans', 'worker-plans']) {
      writeFileSync(join(stateDir, CLUSTER, folder, 'a.json'), '{"plan":true}');
    }
    writeFileSync(join(stateDir, CLUSTER, 'pki/private/kubernetes-ca/keyset.yaml'), 'key');
    mkdirSync(assetsDir);
    writeFileSync(join(assetsDir, 'kubelet'), Buffer.alloc(3_000_000, 'kubelet '));
    await cloud.ensureSupervisor({ networkCidr: '172.30.0.0/24', storeUrl: `file://${stateDir}`, assetsDir });
  }, 300_000);

  afterAll(async () => {
    await cloud.shutdown();
    rmSync(root, { recursive: true, force: true });
  });

  /** Everything of the cluster that is visible on the host. */
  async function traces(): Promise<readonly string[]> {
    const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(dir));
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .filter((line) => line.includes(dir));
    const { stdout: loops } = await execa('losetup', ['--list', '--noheadings', '--output', 'BACK-FILE']);
    const hasGroups = (await clustersWithGroups(await cgroupMounts())).has(CLUSTER);
    const bridges = Object.keys(networkInterfaces()).filter((name) => name === 'br0' || name.startsWith('m0.'));
    return [
      ...processes.map((pid) => `process ${pid}: ${commandOf(pid)}`),
      ...mounts,
      ...loops.split('\n').filter((file) => file.includes(dir)),
      ...(hasGroups ? ['cgroups'] : []),
      ...bridges,
    ];
  }

  async function inMachine(name: string, script: string): Promise<string> {
    const { exitCode, stdout, stderr } = await cloud.exec(name, ['sh', '-c', script], { signal: signal() });
    if (exitCode !== 0) throw new Error(`${script}: ${exitCode} ${stderr}`);
    return stdout;
  }

  /** Waits for a file in a machine, in a command without output. */
  const waitForFile = (name: string, path: string): Promise<string> =>
    inMachine(name, `until [ -s ${path} ]; do sleep 0.1; done; cat ${path}`);

  test('boots, runs its user data, knows its name and cannot change the host', async () => {
    const began = Date.now();
    await cloud.createMachine(machine('cp-1', 'ControlPlane'), signal());
    expect(await waitForFile('cp-1', '/run/user-data-ran')).toBe('hello from cp-1.internal');
    process.stderr.write(`machine start to user-data: ${Date.now() - began} ms\n`);
    expect(await inMachine('cp-1', 'cat /proc/sys/vm/overcommit_memory; ip -br address show eth0')).toMatch(
      /^1\neth0@\S+ +UP +172\.30\.0\.10\/24/,
    );
    expect((await cloud.exec('cp-1', ['date', '--set', '2020-01-01'])).stderr).toContain('Operation not permitted');
    expect(
      await inMachine('cp-1', 'sleep 1; cat /var/log/cloud-init-output.log >&2; systemctl --failed --no-legend'),
    ).toBe('');
  });

  test('learns at once, however often it asks, that a name outside is not known', async () => {
    // A resolver that gets no answer waits for five seconds; 2 means that there is no such name.
    const ask = 'timeout 4 getent hosts registry.example.com; echo $?';
    expect(await inMachine('cp-1', `for i in $(seq 20); do ${ask}; done`)).toBe(Array(20).fill(2).join('\n'));
  });

  test('continues a stopped command: a machine stops all of them before it shuts down', async () => {
    expect(await inMachine('cp-1', 'kill -STOP $$; echo went on')).toBe('went on');
  });

  test('gets its identity from the metadata service, and may read what its role needs', async () => {
    await cloud.createMachine(machine('worker-1', 'Node'), signal());
    await waitForFile('worker-1', '/run/user-data-ran');
    const status = (name: string, path: string): Promise<string> =>
      inMachine(name, `curl -s -o /dev/null -w '%{http_code}' http://169.254.169.254${path}`);
    expect(JSON.parse(await inMachine('worker-1', 'curl -s http://169.254.169.254/v1/instance'))).toMatchObject({
      cluster: CLUSTER,
      instanceId: 'worker-1',
      nodeName: 'worker-1.internal',
      role: 'Node',
      address: '172.30.0.11',
    });
    expect(await status('worker-1', `/state/${CLUSTER}/worker-plans/a.json`)).toBe('200');
    expect(await status('worker-1', `/state/${CLUSTER}/node-plans/a.json`)).toBe('403');
    expect(await status('worker-1', `/state/${CLUSTER}/pki/private/kubernetes-ca/keyset.yaml`)).toBe('403');
    expect(await status('cp-1', `/state/${CLUSTER}/pki/private/kubernetes-ca/keyset.yaml`)).toBe('200');
    expect(await status('worker-1', '/v1/volumes')).toBe('403');
    expect(await status('worker-1', '/assets/..%2fstate')).toBe('404');
    const partial = 'curl -s -r 2999990- -D - http://169.254.169.254/assets/kubelet | head -c 60';
    expect(await inMachine('worker-1', partial)).toMatch(/^HTTP\/1.1 206/);
  });

  test('speaks for nobody else: forged ARP and IPv4 reach no other machine, and not the host', async () => {
    const script = forgery({ own: '172.30.0.11', victim: '172.30.0.10', gateway: '172.30.0.1' });
    // Frames that are not forged, sent last, show that all before them have arrived or were dropped.
    const heard = 'timeout 20 python3 /run/listen.py';
    await inMachine('cp-1', `cat > /run/listen.py <<'END'\n${LISTENER}END\n`);
    await inMachine('worker-1', `cat > /run/forge.py <<'END'\n${script}END\n`);
    await inMachine('cp-1', `systemd-run --quiet --unit listen sh -c '${heard} > /run/heard'`);
    await inMachine('cp-1', 'until [ -e /run/listening ]; do sleep 0.05; done');
    await inMachine('worker-1', 'python3 /run/forge.py');
    await inMachine('cp-1', 'until [ -s /run/heard ]; do sleep 0.05; done');
    expect(await inMachine('cp-1', 'cat /run/heard')).toBe('own arp\nown ip\npod ip');
    const neighbour = await inMachine('cp-1', 'ping -c1 -W5 172.30.0.1 > /dev/null; ip neighbour show 172.30.0.1');
    expect(neighbour).toContain(' lladdr 02:00:ac:1e:00:01 ');
    expect(JSON.parse(await inMachine('worker-1', 'curl -s http://169.254.169.254/v1/instance'))).toMatchObject({
      instanceId: 'worker-1',
    });
  });

  test('sees an attached volume and keeps it over a reboot; the data outlives the machine', async () => {
    await cloud.createVolume({ name: 'vol-a', sizeGiB: 0.1, zone: 'a', tags: { member: 'a' } }, signal());
    const attach = 'curl -s -XPOST http://169.254.169.254/v1/volumes/vol-a/attach';
    expect(await inMachine('cp-1', attach)).toBe('{"device":"/dev/xvdu"}');
    await inMachine(
      'cp-1',
      'mkfs.ext4 -q /dev/disk/by-id/local-vol-a && mount /dev/xvdu /mnt && echo data > /mnt/file',
    );

    await cloud.createMachine(machine('cp-2', 'ControlPlane'), signal());
    await waitForFile('cp-2', '/run/user-data-ran');
    expect(await inMachine('cp-2', attach)).toContain('the machine cp-1 holds it');

    // In version 1 each controller has a folder; in version 2 all have one.
    const group = '$(ls -d /sys/fs/cgroup/pids /sys/fs/cgroup 2>/dev/null | tail -n 1)/left';
    await inMachine('cp-1', `mkdir ${group}`);
    await cloud.rebootMachine('cp-1', signal());
    await cloud.waitUntil(({ machines }) => machines.find(({ name }) => name === 'cp-1')?.boots === 2, signal());
    expect(await inMachine('cp-1', 'mount /dev/xvdu /mnt && cat /mnt/file')).toBe('data');
    expect(await inMachine('cp-1', `test ! -e ${group} && echo gone`)).toBe('gone');

    await cloud.terminateMachine('cp-1', signal());
    expect(await inMachine('cp-2', attach)).toBe('{"device":"/dev/xvdu"}');
    expect(await inMachine('cp-2', 'mount /dev/xvdu /mnt && cat /mnt/file')).toBe('data');
  });

  test('answers on the host at the port of the Kubernetes API when it is a control plane', async () => {
    const state = await cloud.describe();
    const url = `http://127.0.0.1:${state?.network.apiPort}/`;
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    const server = 'python3 -m http.server --directory /srv 443';
    await inMachine('cp-2', `echo cp-2 > /srv/index.html && systemd-run --quiet --unit api ${server}`);
    await inMachine('cp-2', 'until ss -ltn | grep -q :443; do sleep 0.05; done');
    expect(await (await fetch(url)).text()).toBe('cp-2\n');
  });

  test('shuts down when it is stopped, and starts again with the same address and disk', async () => {
    await cloud.stopMachine('worker-1', signal());
    const stopped = (await cloud.describe())?.machines.find(({ name }) => name === 'worker-1');
    expect(stopped).toMatchObject({ state: 'stopped', lastExit: 'powered off', wanted: 'stopped' });
    await cloud.startMachine('worker-1', signal());
    expect(await inMachine('worker-1', 'cat /var/lib/boots; hostname -I')).toMatch(/^1\n172\.30\.0\.11 $/);
    expect(await cloud.console('worker-1')).toContain('cloud-init');
  });

  test('is down in time although a command that entered it was stopped with its own, and nobody continues it', async () => {
    const [file = '', ...args] = await cloud.execArgv('worker-1', ['sh', '-c', 'echo in; sleep infinity']);
    const command = execa(file, args, { reject: false, buffer: false });
    await once(command.stdout, 'data');
    // nsenter stops itself when it sees its child stopped, and then does not reap the child, which is what the machine waits
    // for. It may be late: then the machine has continued the child before.
    const [entered] = readFileSync(`/proc/${command.pid}/task/${command.pid}/children`, 'utf8').split(' ');
    process.kill(Number(entered), 'SIGSTOP');
    const isStopped = () => readFileSync(`/proc/${command.pid}/stat`, 'utf8').includes(') T ');
    await vi.waitFor(() => expect(isStopped()).toBe(true), { timeout: 30_000, interval: 10 });
    await cloud.stopMachine('worker-1', signal(), 1_000);
    command.kill('SIGKILL');
    const stopped = (await cloud.describe())?.machines.find(({ name }) => name === 'worker-1');
    expect(stopped).toMatchObject({ state: 'stopped', lastExit: 'ended by SIGKILL' });
    await cloud.startMachine('worker-1', signal());
  });

  test("is left alone by another state store's cluster of the same name", async () => {
    const other = openLocalCloud({ cluster: CLUSTER, dir, storeUrl: `file://${stateDir}-2` });
    const machines = (await cloud.describe())?.machines;
    const theirs = `they belong to the cluster of that name in file://${stateDir}, not to the one in file://${stateDir}-2`;
    for (const use of [
      () => other.describe(),
      () => other.terminateMachine('worker-1', signal()),
      () => other.exec('worker-1', ['true']),
      () => other.console('worker-1'),
      () => other.ensureSupervisor({ networkCidr: '172.30.0.0/24', storeUrl: `file://${stateDir}-2`, assetsDir }),
      () => other.shutdown(),
    ]) {
      await expect(use()).rejects.toThrow(theirs);
    }
    expect(await other.describeOwn()).toBeUndefined();
    await other.shutdownOwn();
    expect((await cloud.describe())?.machines).toEqual(machines);
    // The store that made them finds them, however it is spelled.
    const own = openLocalCloud({ cluster: CLUSTER, dir, storeUrl: `file://${stateDir}/` });
    expect(await own.describe()).toMatchObject({ isRunning: true, machines });
  });

  test('ends with its supervisor, which leaves nothing but cgroups, and is resumed by the next supervisor', async () => {
    const before = await cloud.describe();
    const holder = await livingHolder(clusterPaths(dir, CLUSTER));
    if (holder === undefined || before === undefined) throw new Error('no supervisor');
    process.kill(holder.pid, 'SIGKILL');
    while (await isRunningSince(holder.pid, holder.startTime)) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await traces()).toEqual(['cgroups']);
    expect(await collectClusterGarbage(dir, CLUSTER)).toEqual([`cgroups of ${CLUSTER}`]);
    expect(await traces()).toEqual([]);
    expect((await cloud.describe())?.isRunning).toBe(false);
    // Parts of it can be removed while nothing of it runs.
    await cloud.terminateMachine('cp-2');
    await cloud.deleteVolume('vol-a');
    expect(await cloud.describe()).toMatchObject({ machines: [{ name: 'worker-1' }], volumes: [] });

    const { cidr, storeUrl } = before.network;
    const network = await cloud.ensureSupervisor({ networkCidr: cidr, storeUrl, assetsDir });
    expect(network.apiPort).toBe(before.network.apiPort);
    await cloud.waitUntil(({ machines }) => machines.every(({ state }) => state === 'running'), signal());
    expect(await waitForFile('worker-1', '/var/lib/boots')).toBe('1');
  });

  test('leaves nothing behind when its cluster is shut down', async () => {
    await cloud.shutdown();
    expect(await traces()).toEqual([]);
    expect(readdirSync(dir)).not.toContain(CLUSTER);
  });

  test('cannot use a port of another program', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const second = openLocalCloud({ cluster: `second-${CLUSTER}`, dir });
    const options = { networkCidr: '172.30.0.0/24', storeUrl: `file://${stateDir}`, assetsDir };
    await expect(second.ensureSupervisor({ ...options, ...(port === undefined ? {} : { port }) })).rejects.toThrow(
      'EADDRINUSE',
    );
    other.close();
  });
});

function machine(name: string, role: MachineSpec['role']): MachineSpec {
  const userData = [
    '#!/bin/sh',
    'echo x >> /var/lib/boots.x; wc -l < /var/lib/boots.x > /var/lib/boots',
    'echo "hello from $(hostname)" > /run/user-data-ran.new && mv /run/user-data-ran.new /run/user-data-ran',
  ];
  return {
    name,
    role,
    instanceGroup: 'group',
    nodeName: `${name}.internal`,
    zone: 'a',
    tags: {},
    userData: `${userData.join('\n')}\n`,
  };
}

/** Prints what it hears of the script below, until the frame that ends it. */
const LISTENER = `import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
s.bind(('eth0', 0))
open('/run/listening', 'w').close()
heard = []
while True:
    frame, sender = s.recvfrom(2048)
    # This machine's own answer, that it knows no such protocol, quotes what it got.
    if sender[2] == socket.PACKET_OUTGOING: continue
    at = frame.find(b'KOPSCTL:')
    if at < 0: continue
    what = frame[at + 8:].split(b';')[0].decode()
    if what == 'end': break
    heard.append(what)
print('\\n'.join(heard))
`;

/** Sends frames in the name of others, then some that a machine may send, each marked with what it is. */
const forgery = ({ own, victim, gateway }: Readonly<Record<'own' | 'victim' | 'gateway', string>>): string => `
import socket, struct
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(('eth0', 0))
ip = socket.inet_aton
mac = lambda a: b'\\x02\\x00' + ip(a)
own, victim, gateway = '${own}', '${victim}', '${gateway}'
def send(what, source, kind, body):
    s.send(mac(victim) + source + struct.pack('!H', kind) + body + b'KOPSCTL:' + what.encode() + b';')
def arp(what, sender_mac, sender, operation=2, source=None):
    head = struct.pack('!HHBBH', 1, 0x0800, 6, 4, operation)
    send(what, source or mac(own), 0x0806, head + sender_mac + ip(sender) + mac(victim) + ip(victim))
def packet(what, sender, source=None):
    def head(checksum):
        size = 20 + len('KOPSCTL:' + what + ';')
        return struct.pack('!BBHHHBBH4s4s', 0x45, 0, size, 0, 0, 64, 253, checksum, ip(sender), ip(victim))
    total = sum(struct.unpack('!10H', head(0)))
    while total >> 16: total = (total & 0xffff) + (total >> 16)
    send(what, source or mac(own), 0x0800, head(~total & 0xffff))
arp('arp of the gateway', mac(own), gateway)
arp('arp of the gateway, asking', mac(own), gateway, 1)
arp('arp of the metadata service', mac(own), '169.254.169.254')
arp('arp of another machine', mac(own), '172.30.0.12')
arp('arp with the MAC of another', mac(gateway), own)
arp('arp of the gateway, from its MAC', mac(gateway), gateway, 2, mac(gateway))
packet('ip of the gateway', gateway)
packet('ip of the metadata service', '169.254.169.254')
packet('ip of another machine', '172.30.0.12')
packet('ip from another MAC', own, mac(gateway))
send('ipv6', mac(own), 0x86dd, b'')
send('vlan', mac(own), 0x8100, struct.pack('!HH', 1, 0x0806))
arp('own arp', mac(own), own)
packet('own ip', own)
packet('pod ip', '100.96.7.7')
packet('end', own)
`;

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
