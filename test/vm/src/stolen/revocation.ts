import { beforeAll, expect, test } from 'vitest';
import { until, type TestCluster } from '../cluster.ts';

const CLIENT = '/var/lib/kubelet/pki/kubelet-client';

/** Takes one of the two workers of a cluster away, and lets it in again. */
export function describeRevocation(clusterOf: () => TestCluster): void {
  let cluster: TestCluster;
  let stolen: { readonly name: string; readonly nodeName: string };
  let other: { readonly name: string; readonly nodeName: string };
  let controlPlane: { readonly name: string };

  beforeAll(async () => {
    cluster = clusterOf();
    const machines = await cluster.machines();
    const [first, second] = machines.filter(({ role }) => role === 'Node');
    const leader = machines.find(({ role }) => role === 'ControlPlane');
    if (first === undefined || second === undefined || leader === undefined) throw new Error('a machine is missing');
    [stolen, other, controlPlane] = [first, second, leader];
  });

  /** The status of what the API server answers to the credentials of a kubelet; 000 for no answer. */
  const asks = async (machine: string, path: string, ...options: readonly string[]): Promise<string> => {
    const tls = ['--cacert', '/srv/kubernetes/ca.crt', '--cert', `${CLIENT}.crt`, '--key', `${CLIENT}.key`];
    const status = ['-s', '-o', '/dev/null', '--max-time', '5', '-w', '%{http_code}'];
    const url = `https://api.internal.${cluster.name}${path}`;
    return (await cluster.on(machine, 'curl', ...status, ...tls, ...options, url)).stdout.trim();
  };
  const writes = (machine: string, path: string, object: object): Promise<string> =>
    asks(machine, path, '-X', 'POST', '-H', 'Content-Type: application/json', '-d', JSON.stringify(object));
  const registers = ({ name, nodeName }: typeof stolen): Promise<string> =>
    writes(name, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } });
  const nodes = async (): Promise<readonly string[]> =>
    (await cluster.kubectl('get', 'nodes', '-o', 'name')).split('\n').map((name) => name.replace('node/', ''));
  const isReady = async (node: string): Promise<true | undefined> =>
    / Ready /.test(await cluster.kubectl('get', 'node', node, '--no-headers')) ? true : undefined;
  const authority = async (): Promise<string> =>
    (await cluster.on(controlPlane.name, 'journalctl', '--unit', 'node-authority.service', '--output', 'cat')).stdout;

  /** An enrolled machine is called every five minutes; an authority that starts calls all of them at once. */
  const callAll = async (): Promise<void> => {
    await cluster.on(controlPlane.name, 'systemctl', 'restart', 'node-authority.service');
  };

  test('is only shown without --yes, and a mistyped one is an error', async () => {
    const shown = await cluster.kopsctl('toolbox', 'revoke', stolen.nodeName);
    expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Would revoke ${stolen.nodeName}`) });
    const mistyped = await cluster.kopsctl('toolbox', 'revoke', `${stolen.nodeName}x`, '--yes');
    expect(mistyped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`did you mean`) });
    expect(await nodes()).toContain(stolen.nodeName);
    // Its Node is there: that is why the request is refused, not because the machine may not write.
    expect(await registers(stolen)).toBe('409');
  });

  test('has no Node and may write nothing a minute after it is revoked; the other worker is as before', async () => {
    const revoked = await cluster.kopsctl('toolbox', 'revoke', stolen.nodeName, '--reason', 'stolen', '--yes');
    expect(revoked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Revoked ${stolen.nodeName}`) });
    expect(revoked.stderr).toContain(`kopsctl toolbox terminate ${stolen.name}`);
    await until('its Node is gone', 60_000, async () => ((await nodes()).includes(stolen.nodeName) ? undefined : true));
    await until('its writes are denied', 60_000, async () => ((await registers(stolen)) === '403' ? true : undefined));
    // Every kubelet may write events.
    const involvedObject = { kind: 'Node', name: 'any', namespace: 'default' };
    const event = { apiVersion: 'v1', kind: 'Event', metadata: { generateName: 'x-' }, involvedObject };
    const events = '/api/v1/namespaces/default/events';
    expect(await writes(stolen.name, events, event)).toBe('403');
    expect(await writes(other.name, events, event)).toBe('201');
    // What docs/security.md says is left until its certificate ends.
    expect(await asks(stolen.name, '/api/v1/nodes')).toBe('200');
    expect(await registers(other)).toBe('409');
    expect(await isReady(other.nodeName)).toBe(true);
  });

  test('gets nothing after a reboot either', async () => {
    const before = (await authority()).length;
    const started = (await cluster.on(stolen.name, 'stat', '-c', '%Y', '/run/systemd')).stdout;
    await cluster.kopsctl('toolbox', 'reboot', stolen.name);
    await until('it has rebooted', 60_000, async () => {
      const now = await cluster.on(stolen.name, 'stat', '-c', '%Y', '/run/systemd');
      return now.exitCode === 0 && now.stdout !== started ? true : undefined;
    });
    await callAll();
    await until('an authority refuses it', 60_000, async () =>
      (await authority()).slice(before).includes('it was revoked at') ? true : undefined,
    );
    await until('its kubelet is refused', 60_000, async () => ((await registers(stolen)) === '403' ? true : undefined));
    expect(await nodes()).not.toContain(stolen.nodeName);
  });

  test('is let in again only by a person who says that he knows it was revoked', async () => {
    const refused = await cluster.kopsctl('toolbox', 're-enroll', stolen.nodeName, '--yes');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stolen') });
    const again = await cluster.kopsctl('toolbox', 're-enroll', stolen.nodeName, '--unrevoke', '--yes');
    expect(again.exitCode).toBe(0);
    // It is Ready only minutes later: kubelet tries less and less often to create what it was denied (initializeCSINode).
    const isBack = async (): Promise<true | undefined> =>
      (await nodes()).includes(stolen.nodeName) ? true : undefined;
    expect(await until('its kubelet has registered it', 60_000, isBack)).toBe(true);
  });

  test('has another key once when a person permits it, as after its disk was lost', async () => {
    // One permission is left of the mistake before; the machine uses it.
    const loseKey = async (): Promise<void> => {
      await cluster.on(stolen.name, 'rm', '/var/lib/kops/machine.key', `${CLIENT}.crt`);
      await callAll();
    };
    const hasCertificate = async () =>
      (await cluster.on(stolen.name, 'test', '-e', `${CLIENT}.crt`)).exitCode === 0 ? true : undefined;
    await loseKey();
    await until('it has a certificate for its second key', 60_000, hasCertificate);
    const before = (await authority()).length;
    await loseKey();
    await until('its third key is refused', 60_000, async () =>
      (await authority()).slice(before).includes('another key than at its first attestation') ? true : undefined,
    );
    expect((await cluster.kopsctl('toolbox', 're-enroll', stolen.nodeName, '--yes')).exitCode).toBe(0);
    await until('it has a certificate for its third key', 60_000, hasCertificate);
  });
}
