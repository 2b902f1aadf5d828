import type { Machine } from '@kopsctl/model/cloud.ts';
import { expect, test } from 'vitest';
import { journalsBySsh, type RunSsh, sshArguments } from './journals-by-ssh.ts';

const machine = (name: string, role: string, address: string, externalAddress?: string): Machine => ({
  name,
  nodeName: name,
  role,
  instanceGroup: role,
  address,
  state: 'running',
  ...(externalAddress !== undefined && { externalAddress }),
});

const LOGIN = { user: 'ubuntu', keyFile: '/home/me/my key', withinMs: 60_000 };

async function read(machines: readonly Machine[], name: string) {
  const asked: (readonly string[])[] = [];
  const run: RunSsh = async (args) => {
    asked.push(args);
    return { exitCode: 0, stdout: 'a line\n', stderr: '', timedOut: false };
  };
  expect(await journalsBySsh(machines, LOGIN, new AbortController().signal, run)(name)).toBe('a line\n');
  return asked[0]?.join(' ') ?? '';
}

test('a machine that is reached from outside is asked at that address, as the user and with the key that were named', async () => {
  const asked = await read([machine('n-1', 'Node', '10.0.0.1', '192.0.2.1')], 'n-1');
  expect(asked).toMatch(/-i \/home\/me\/my key -l ubuntu -- 192\.0\.2\.1 sudo -n journalctl .*-u kubelet$/);
  expect(asked).not.toContain('ProxyCommand');
});

test.each([
  [
    'a bastion',
    [machine('cp-1', 'ControlPlane', '10.0.0.2', '192.0.2.2'), machine('b', 'Bastion', '10.0.0.3', '192.0.2.3')],
  ],
  ['a control plane where there is none', [machine('cp-1', 'ControlPlane', '10.0.0.2', '192.0.2.3')]],
])('all others are asked through %s', async (_, gateways) => {
  const asked = await read([machine('n-1', 'Node', '10.0.0.1'), ...gateways], 'n-1');
  expect(asked).toMatch(
    /ProxyCommand=ssh .* -i '\/home\/me\/my key' -l ubuntu -W '\[%h\]:%p' -- 192\.0\.2\.3 -- 10\.0\.0\.1 /,
  );
});

test('globs reach journalctl as they are', () => {
  expect(sshArguments({ host: '192.0.2.1' }, { user: 'admin' }).at(-1)).toContain("-u 'etcd-*'");
});

test('neither a machine nor the one on the way gets what the configuration of a person forwards', () => {
  const asked = sshArguments({ host: '10.0.0.1', gateway: '192.0.2.1' }, { user: 'admin' });
  const through = asked.find((one) => one.startsWith('ProxyCommand='));
  for (const setting of ['ForwardAgent=no', 'ForwardX11=no', 'ClearAllForwardings=yes']) {
    expect(asked).toContain(setting);
    expect(through).toContain(`-o ${setting} `);
  }
});

test('what ssh says becomes the reason, and a machine without an address is not asked', async () => {
  const refused: RunSsh = async () => ({ exitCode: 255, stdout: '', stderr: 'x\nPermission denied', timedOut: false });
  const { signal } = new AbortController();
  const machines = [
    machine('n-1', 'Node', '10.0.0.1'),
    machine('n-2', 'Node', ''),
    machine('n-3', 'Node', '-oProxyCommand=x'),
  ];
  const journal = journalsBySsh(machines, LOGIN, signal, refused);
  await expect(journal('n-1')).rejects.toThrow('cannot read the journal of n-1: Permission denied');
  await expect(journal('n-2')).rejects.toThrow('no address');
  await expect(journal('n-3')).rejects.toThrow('no address');
});
