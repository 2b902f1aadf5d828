import { expect, test } from 'vitest';
import { gceTasks, propsOf, type Wish } from '../testdata/gce-tasks.ts';

const NEW = 'projects/acme/locations/europe-west3/keyRings/kops/cryptoKeys/state';
const OLD = 'projects/example.com:acme/locations/global/keyRings/kops/cryptoKeys/state';

const rights = (wish: Wish) =>
  Object.values(propsOf(gceTasks(wish), 'gce/KeyMember')).map(({ role, key }) => [role, key]);

test('control planes open with each key that the spec names, and seal with none', () => {
  const opener = 'roles/cloudkms.cryptoKeyDecrypter';
  expect(rights({ stateKey: `${NEW},${OLD}` })).toEqual([
    [opener, NEW],
    [opener, OLD],
  ]);
  expect(rights({ stateKey: `none,${OLD}` })).toEqual([[opener, OLD]]);
  expect(rights({})).toEqual([]);
});

test('where there is gossip they seal its keys again', () => {
  const dns = (type: 'Gossip' | 'None') => ({ topology: { dns: { type } } });
  const roles = (type: 'Gossip' | 'None') =>
    rights({ name: 'demo.k8s.local', stateKey: NEW, spec: dns(type) }).map(([role]) => role);
  expect(roles('Gossip')).toEqual(['roles/cloudkms.cryptoKeyDecrypter', 'roles/cloudkms.cryptoKeyEncrypter']);
  expect(roles('None')).toEqual(['roles/cloudkms.cryptoKeyDecrypter']);
});

test('objects are sealed, and machines made, once control planes may open them', () => {
  const tasks = gceTasks({ stateKey: NEW });
  const ref = 'gce/KeyMember/control-plane-opens-acme-europe-west3-kops-state';
  expect(tasks.find(({ kind }) => kind === 'StateKey')?.props).toEqual({ sealsWith: NEW, after: [{ ref }] });
  for (const { after } of Object.values(propsOf(tasks, 'gce/InstanceTemplate'))) expect(after).toContainEqual({ ref });
});

test('an account that the spec names gets no right from us', () => {
  expect(rights({ stateKey: NEW, spec: { cloudConfig: { gceServiceAccount: 'a@b' } } })).toEqual([]);
});
