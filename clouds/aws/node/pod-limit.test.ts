import { expect, it } from 'vitest';
import { podLimitOf } from './pod-limit.ts';
import { parseXml } from './xml.ts';

const answer = (interfaces: number, addresses: number) =>
  parseXml(
    `<DescribeInstanceTypesResponse><instanceTypeSet><item><instanceType>x</instanceType><networkInfo><maximumNetworkInterfaces>${interfaces}</maximumNetworkInterfaces><ipv4AddressesPerInterface>${addresses}</ipv4AddressesPerInterface></networkInfo></item></instanceTypeSet></DescribeInstanceTypesResponse>`,
  );

it.each([
  ['t3.medium', 3, 6, 17],
  ['m5.large', 3, 10, 29],
  ['m5.4xlarge', 8, 30, 110],
])('a %s with %i interfaces of %i addresses takes %i pods', (type, interfaces, addresses, pods) => {
  expect(podLimitOf(answer(interfaces, addresses), type)).toBe(pods);
});

it('says what to do where EC2 does not know', () => {
  const nothing = parseXml('<DescribeInstanceTypesResponse><instanceTypeSet/></DescribeInstanceTypesResponse>');
  expect(() => podLimitOf(nothing, 'x9.mega')).toThrow(
    'EC2 does not say how many network interfaces and addresses x9.mega has',
  );
});
