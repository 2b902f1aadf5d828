import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { expect, test } from 'vitest';
import { suffixed } from '../names.ts';
import { openGce } from './gce-cloud.ts';
import { isOwn, isSuffixed } from './own-names.ts';

const gceOf = (name: string, networkID?: string) =>
  openGce(
    {
      metadata: { name },
      spec: { project: 'p', subnets: [{ name: 'us-east1', region: 'us-east1' }], ...(networkID && { networkID }) },
    },
    true,
    {},
  );
const network = (name: string) => `https://www.googleapis.com/compute/v1/projects/p/global/networks/${name}`;
const owns = (gce: ReturnType<typeof gceOf>, answer: object, objects: readonly string[] = ['api']) =>
  isOwn(new AnswerFields(answer, 'Compute Engine'), { gce, objects });

test.each([
  ['api-demo-example-com', true],
  ['api-us-east1-demo-example-com', true],
  ['demo-example-com', false],
  ['api-demo-example-com-x', false],
  ['x', false],
])('%s may be a name of demo.example.com: %s', (name, expected) => {
  expect(isSuffixed(name, 'demo.example.com')).toBe(expected);
});

test('a name that is too long is known by its hash', () => {
  const cluster = `${'long-'.repeat(12)}name.example.com`;
  const name = suffixed('api', cluster);
  expect(name).toHaveLength(63);
  expect(isSuffixed(name, cluster)).toBe(true);
  expect(isSuffixed(name, `${cluster}.x`)).toBe(false);
});

test('the end of a name does not make a resource ours', () => {
  const gce = gceOf('example.com');
  // Of the cluster my.example.com.
  expect(owns(gce, { name: 'api-my-example-com' })).toBe(false);
  expect(owns(gce, { name: 'api-example-com' })).toBe(true);
});

test('a label of another cluster decides', () => {
  const labels = { 'k8s-io-cluster-name': 'other-example-com' };
  expect(owns(gceOf('example.com'), { name: 'api-example-com', labels })).toBe(false);
  expect(owns(gceOf('other.example.com'), { name: 'whatever', labels })).toBe(true);
});

test('in its own network a cluster owns what has its name, in a network of others only what its spec names', () => {
  const [own, other] = ['example-com', 'my-example-com'].map((one) => ({
    name: 'old-example-com',
    network: network(one),
  }));
  expect(owns(gceOf('example.com'), own ?? {})).toBe(true);
  expect(owns(gceOf('example.com'), other ?? {})).toBe(false);
  expect(owns(gceOf('example.com', 'shared'), { name: 'old-example-com', network: network('shared') })).toBe(false);
});
