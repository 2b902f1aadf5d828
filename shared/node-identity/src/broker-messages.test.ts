import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { expect, test } from 'vitest';
import {
  parseEnrolmentWish,
  parseEnrolWish,
  parseGroupWish,
  parseKnowledge,
  parseMachines,
  parseMachinesWish,
  parseRights,
  parseStoredEnrolment,
  parseVerifierFacts,
  parseWritten,
  printKnowledge,
  printMachines,
  printRights,
  printStoredEnrolment,
  printVerifierFacts,
  printWish,
  printWritten,
} from './broker-messages.ts';

const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.1',
  externalAddresses: ['192.0.2.1', '2001:db8::1'],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
};

test('what one side prints, the other one reads', () => {
  expect(parseMachinesWish(printWish({}))).toEqual({});
  expect(parseMachinesWish(printWish({ after: '7' }))).toEqual({ after: '7' });
  expect(parseGroupWish(printWish({ instanceGroup: 'nodes' }))).toEqual({ instanceGroup: 'nodes' });
  expect(parseEnrolmentWish(printWish({ node: 'nodes-1' }))).toEqual({ node: 'nodes-1' });
  expect(parseEnrolWish(printWish({ text: '{}', version: 'v' }))).toEqual({ text: '{}', version: 'v' });
  expect(parseEnrolWish(printWish({ text: '{}' }))).toEqual({ text: '{}' });
  const list = { revision: '7', items: [machine, { ...machine, launchedMs: 0, address: '', running: false }] };
  expect(parseMachines(printMachines(list))).toEqual(list);
  const rights = { principal: 'nodes.demo', secrets: ['gossip-key'], authorities: [] };
  expect(parseRights(printRights(rights))).toEqual(rights);
  expect(parseRights(printRights(undefined))).toBeUndefined();
  const knowledge = { clusterCa: 'PEM', secrets: { 'gossip-key': 'k' }, authorities: { 'gossip-records-ca': 'PEM' } };
  expect(parseKnowledge(printKnowledge(knowledge))).toEqual(knowledge);
  expect(parseStoredEnrolment(printStoredEnrolment({ text: 'x', version: '1' }))).toEqual({ text: 'x', version: '1' });
  expect(parseStoredEnrolment(printStoredEnrolment(undefined))).toBeUndefined();
  expect([true, false].map((isWritten) => parseWritten(printWritten(isWritten)))).toEqual([true, false]);
  expect(parseVerifierFacts(printVerifierFacts({ key: 'k' }))).toEqual({ key: 'k' });
});

test.each(['', '..', '../nodes-1', 'nodes-1/boot-report', 'nodes-1\0', 'NODES-1', 'a'.repeat(300)])(
  'no enrolment is asked for by the name %j',
  (node) => expect(() => parseEnrolmentWish(JSON.stringify({ node }))).toThrow('malformed: node'),
);

test.each(['', '{', '[]', 'null', '7', '"x"', '{"node":7}', '{"instanceGroup":null}', '{"text":""}'])(
  '%j is not a wish',
  (text) => {
    for (const parse of [parseGroupWish, parseEnrolmentWish, parseEnrolWish])
      expect(() => parse(text)).toThrow(/JSON|malformed/);
  },
);
