import { expect, test } from 'vitest';
import { diskName, managedGroupName, roleTag, suffixed, templatePrefix } from './names.ts';

const LONG = `${'very-long-label.'.repeat(4)}example.com`;

test('names that kops gives are ours too', () => {
  expect(suffixed('control-plane', 'minimal.example.com', 30)).toBe('control-plane-minimal-e-rabo9p');
  expect(suffixed('control-plane', 'minimal-gce.example.com', 30)).toBe('control-plane-minimal-g-fu1mg6');
  expect(templatePrefix('master-us-test1-a', 'minimal-gce.example.com')).toBe('master-us-test1-a-minimal-do16cp-');
  expect(templatePrefix('nodes', 'ha-gce.example.com')).toBe('nodes-ha-gce-example-com-');
  expect(managedGroupName('nodes', 'us-test1-b', 'ha-gce.example.com')).toBe('b-nodes-ha-gce-example-com');
  expect(diskName('1', 'main', 'a.b')).toBe('d1-etcd-main-a-b');
});

test.each([
  suffixed('https-api-ipv6', LONG),
  diskName('a', 'events', LONG),
  roleTag('control-plane', LONG),
  managedGroupName('control-plane-us-east1-b', 'us-east1-b', LONG),
])('%s is not longer than Google allows', (name) => {
  expect(name).toMatch(/^[a-z][-a-z0-9]{0,62}$/);
});
