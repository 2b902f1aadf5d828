import { makeLog } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { expect, test } from 'vitest';
import { followLoadBalancer } from './follow-load-balancer.ts';
import { LatestNames } from './name-source.ts';

const balanced = { names: ['api.internal.demo.example.com'], loadBalancer: 'lb.example.net' };
const address = '10.0.0.7';
const log = makeLog(() => undefined, false, 'protokube');

test('names get all addresses of the load balancer, sorted, and the loop that writes /etc/hosts is woken', async () => {
  const names = new LatestNames();
  const ended = new AbortController();
  const wake = new Wake();
  names.ringOnChange(wake);
  const lookUp = async () => ['10.0.0.2', '10.0.0.1'];
  const following = followLoadBalancer(balanced, { address, names, lookUp, log }, ended.signal);
  expect(await wake.wait(10_000, ended.signal)).toBe(true);
  expect(names.records()).toEqual([{ name: balanced.names[0], addresses: ['10.0.0.1', '10.0.0.2'] }]);
  ended.abort();
  await expect(following).rejects.toThrow('aborted');
});

test.each([
  ['a machine with an IPv6 address', '2001:db8::7', ['2001:db8::1', '2001:db8::2']],
  ['a machine with an IPv4 address', '10.0.0.7', ['10.0.0.1']],
])('%s gets the addresses of its own family', async (_, own, expected) => {
  const names = new LatestNames();
  const ended = new AbortController();
  const wake = new Wake();
  names.ringOnChange(wake);
  const lookUp = async () => ['10.0.0.1', '2001:db8::2', '2001:db8::1'];
  const following = followLoadBalancer(balanced, { address: own, names, lookUp, log }, ended.signal);
  expect(await wake.wait(10_000, ended.signal)).toBe(true);
  expect(names.records()).toEqual([{ name: balanced.names[0], addresses: expected }]);
  ended.abort();
  await expect(following).rejects.toThrow('aborted');
});

test('a load balancer that has only addresses of the other family is found by these', async () => {
  const names = new LatestNames();
  const ended = new AbortController();
  const wake = new Wake();
  names.ringOnChange(wake);
  const lookUp = async () => ['10.0.0.1'];
  const following = followLoadBalancer(balanced, { address: '2001:db8::7', names, lookUp, log }, ended.signal);
  expect(await wake.wait(10_000, ended.signal)).toBe(true);
  expect(names.records()).toEqual([{ name: balanced.names[0], addresses: ['10.0.0.1'] }]);
  ended.abort();
  await expect(following).rejects.toThrow('aborted');
});

test('a load balancer that is named by its addresses is not looked up: no name server knows them', async () => {
  const names = new LatestNames();
  const ended = new AbortController();
  const wake = new Wake();
  names.ringOnChange(wake);
  const byAddress = { ...balanced, loadBalancer: '10.0.1.5 10.0.0.9' };
  const lookUp = () => Promise.reject(new Error('ENOTFOUND'));
  const following = followLoadBalancer(byAddress, { address, names, lookUp, log }, ended.signal);
  expect(await wake.wait(10_000, ended.signal)).toBe(true);
  expect(names.records()).toEqual([{ name: balanced.names[0], addresses: ['10.0.0.9', '10.0.1.5'] }]);
  ended.abort();
  await expect(following).rejects.toThrow('aborted');
});

test('a failed lookup changes nothing', async () => {
  const names = new LatestNames();
  names.set([{ name: 'api.internal.demo.example.com', addresses: ['10.0.0.1'] }]);
  const lookUp = () => Promise.reject(new Error('ETIMEOUT'));
  await expect(
    followLoadBalancer(balanced, { address, names, lookUp, log }, new AbortController().signal),
  ).rejects.toThrow('ETIMEOUT');
  expect(names.records()).toEqual([{ name: 'api.internal.demo.example.com', addresses: ['10.0.0.1'] }]);
});
