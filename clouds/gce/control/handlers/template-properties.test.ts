import { KNOWN_AFTER_APPLY } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { gceTasks, propsOf } from '../testdata/gce-tasks.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import { propertiesOf, templateName } from './template-properties.ts';

/** As the engine hands them over: with the values of references. */
function props(more: Partial<PropsOf<'gce/InstanceTemplate'>> = {}): PropsOf<'gce/InstanceTemplate'> {
  const {
    network: _n,
    subnetwork: _s,
    account: _a,
    apiLoadBalancer: _l,
    authorityCa: _c,
    ...rest
  } = propsOf(gceTasks(), 'gce/InstanceTemplate')['nodes-demo-example-com'] ?? never();
  return {
    ...rest,
    network: 'projects/p/global/networks/n',
    subnetwork: 'projects/p/regions/r/subnetworks/s',
    account: 'a@p',
    authorityCa: 'the CA',
    ...more,
  };
}
const never = (): never => {
  throw new Error('there is no such template');
};

test('a content has one name, and another content another', () => {
  const name = templateName(props());
  expect(name).toMatch(/^nodes-demo-example-com-[0-9a-f]{16}$/);
  expect(templateName(props())).toBe(name);
  expect(templateName(props({ machineType: 'e2-standard-2' }))).not.toBe(name);
});

test('a template whose network does not exist yet has no name yet', () => {
  expect(templateName(props({ network: KNOWN_AFTER_APPLY }))).toBeUndefined();
});

test('machines get the CA of authorities and the address of the API in their user-data', () => {
  const boot = { key: 'user-data', text: 'ca=@@NODE_AUTHORITY_CA@@ api=@@API_LOAD_BALANCER@@' } as const;
  const { metadata } = propertiesOf(props({ boot, apiLoadBalancer: '10.0.16.9' }));
  expect(metadata.items.find(({ key }) => key === 'user-data')?.value).toBe('ca=the CA api=10.0.16.9');
});

test.each([
  [{ publicIp: true }, { accessConfigs: [{ type: 'ONE_TO_ONE_NAT', networkTier: 'PREMIUM' }] }],
  [
    { podRange: { name: 'pods', prefixLength: 24 } },
    { aliasIpRanges: [{ subnetworkRangeName: 'pods', ipCidrRange: '/24' }] },
  ],
])('%j gives the interface %j', (more, expected) => {
  expect(propertiesOf(props(more)).networkInterfaces[0]).toMatchObject(expected);
});
