import { expect, test } from 'vitest';
import { schedulerConfiguration, withoutSchedulerConfiguration } from './scheduler-configuration.ts';

const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop # of ours\n';
const SCHEDULER = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: packed
`;

test('the configuration of the scheduler is taken out of the objects that are applied', () => {
  const objects = `${NAMESPACE}---\n${SCHEDULER}---\n${NAMESPACE.replace('shop', 'bank')}`;
  expect(schedulerConfiguration(objects)).toMatchObject({ profiles: [{ schedulerName: 'packed' }] });
  expect(withoutSchedulerConfiguration(objects)).toBe(`${NAMESPACE}---\n${NAMESPACE.replace('shop', 'bank')}`);
  expect(withoutSchedulerConfiguration(SCHEDULER)).toBe('');
});

test('without one, objects stay as they were written', () => {
  const text = `# ours\n---\n${NAMESPACE}---\n- a list\n---\n`;
  expect(withoutSchedulerConfiguration(text)).toBe(text);
  expect([schedulerConfiguration(text), schedulerConfiguration(undefined), schedulerConfiguration('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('two are refused', () => {
  expect(() => schedulerConfiguration(`${SCHEDULER}---\n${SCHEDULER}`)).toThrow('hold 2 objects');
});
