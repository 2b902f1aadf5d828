import { expect, test } from 'vitest';
import { parseFacts } from './facts.ts';

const FACTS = { instanceId: 'i-1', nodeName: 'node-1', address: '10.0.0.1', zone: 'a', apiLoadBalancer: 'lb' };

test('facts of a file are read', () => {
  expect(parseFacts(JSON.stringify(FACTS))).toEqual(FACTS);
});

test('all missing facts are named at once', () => {
  expect(() => parseFacts('{"nodeName":"node-1","zone":7}')).toThrow(
    'these facts are missing: instanceId, address, zone',
  );
});
