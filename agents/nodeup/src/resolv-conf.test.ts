import { expect, it } from 'vitest';
import { chooseResolvConf } from './resolv-conf.ts';

const STUB = '# made by systemd-resolved\nnameserver 127.0.0.53\noptions edns0 trust-ad\nsearch ec2.internal\n';
const ASKED = 'nameserver 172.20.0.2\nsearch ec2.internal\n';

it.each([
  ['systemd-resolved answers on loopback', STUB, ASKED, '/run/systemd/resolve/resolv.conf'],
  ['there is no other file', STUB, undefined, '/etc/resolv.conf'],
  ['systemd-resolved knows no server', STUB, 'search ec2.internal\n', '/etc/resolv.conf'],
  ['the servers are reachable', ASKED, ASKED, '/etc/resolv.conf'],
  ['one of the servers is reachable', `${STUB}nameserver 10.0.0.2\n`, ASKED, '/etc/resolv.conf'],
  ['there is no file at all', undefined, undefined, '/etc/resolv.conf'],
  ['only systemd-resolved has a file', undefined, ASKED, '/run/systemd/resolve/resolv.conf'],
  ['the loopback server has an IPv6 address', 'nameserver ::1\n', ASKED, '/run/systemd/resolve/resolv.conf'],
])('where %s, pods get the right file', (_, own, asked, file) => {
  expect(chooseResolvConf(own, asked)).toBe(file);
});
