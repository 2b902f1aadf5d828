import { expect, test } from 'vitest';
import type { Ec2Query } from './ec2-query.ts';
import { podRanges } from './pod-ranges.ts';
import { parseXml } from './xml.ts';

const { signal } = new AbortController();

const attached = (id: string, instanceId: string, prefixes: readonly string[], card = '', device = '0'): string =>
  `<item><networkInterfaceId>${id}</networkInterfaceId>
   <attachment><instanceId>${instanceId}</instanceId><deviceIndex>${device}</deviceIndex>${card}</attachment>
   <ipv6PrefixSet>${prefixes.map((prefix) => `<item><ipv6Prefix>${prefix}</ipv6Prefix></item>`).join('')}</ipv6PrefixSet></item>`;

/** EC2 with these interfaces; what it assigns is in the answer. */
function rangesOf(...interfaces: readonly string[]) {
  const asked: string[] = [];
  const ec2: Ec2Query = {
    call: async (action, parameters) => {
      asked.push(`${action} ${JSON.stringify(parameters)}`);
      return parseXml(
        action === 'AssignIpv6Addresses'
          ? `<answer><networkInterfaceId>${parameters['NetworkInterfaceId']}</networkInterfaceId><assignedIpv6PrefixSet><item>2001:db8:0:1:f::/80</item></assignedIpv6PrefixSet></answer>`
          : `<answer><networkInterfaceSet>${interfaces.join('')}</networkInterfaceSet></answer>`,
      );
    },
  };
  return { asked, ranges: podRanges(() => Promise.resolve(ec2)) };
}

test('a machine has the prefixes of its primary interface, even if a filter was ignored', async () => {
  const { ranges } = rangesOf(
    attached('eni-1', 'i-1', ['2001:db8:0:1:b::/80', '2001:db8:0:1:a::/80'], '<networkCardIndex>0</networkCardIndex>'),
    attached('eni-2', 'i-1', ['2001:db8:0:1:c::/80'], '', '1'),
    attached('eni-3', 'i-1', ['2001:db8:0:1:d::/80'], '<networkCardIndex>1</networkCardIndex>'),
    attached('eni-4', 'i-2', []),
  );
  expect(await ranges.list(['i-1', 'i-2'], signal)).toEqual(
    new Map([
      ['i-1', ['2001:db8:0:1:a::/80', '2001:db8:0:1:b::/80']],
      ['i-2', []],
    ]),
  );
});

test('many machines are asked for 200 at a time, the most that a filter takes', async () => {
  const { asked, ranges } = rangesOf();
  const ids = Array.from({ length: 401 }, (_, index) => `i-${index}`);
  await ranges.list(ids, signal);
  expect(asked.map((line) => [...line.matchAll(/"i-\d+"/g)].length)).toEqual([200, 200, 1]);
});

test('a machine without a prefix is assigned one, and one that has a prefix by now is not', async () => {
  const without = rangesOf(attached('eni-1', 'i-1', []));
  expect(await without.ranges.assign('i-1', signal)).toBe('2001:db8:0:1:f::/80');
  expect(without.asked.at(-1)).toBe('AssignIpv6Addresses {"NetworkInterfaceId":"eni-1","Ipv6PrefixCount":"1"}');
  const has = rangesOf(attached('eni-1', 'i-1', ['2001:db8:0:1:a::/80']));
  expect(await has.ranges.assign('i-1', signal)).toBe('2001:db8:0:1:a::/80');
  expect(has.asked.join()).not.toContain('AssignIpv6Addresses');
});

test('a machine that EC2 does not show yet is an error, which is tried again', async () => {
  await expect(rangesOf().ranges.assign('i-1', signal)).rejects.toThrow('EC2 shows no primary network interface');
});
