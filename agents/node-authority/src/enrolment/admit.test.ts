import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { admit, type Admission, type Candidate } from './admit.ts';
import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';

const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const HOUR_MS = 60 * 60_000;

const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.11',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  launchedMs: NOW_MS - HOUR_MS,
};
const enrolment: Enrolment = {
  node: 'nodes-1',
  instanceId: 'i-1',
  launchedMs: NOW_MS - HOUR_MS,
  instanceGroup: 'nodes',
  machineKey: 'first',
  address: '10.0.0.11',
  enrolledAt: '2026-01-02T11:01:00Z',
};

const admitted = (
  candidate: Partial<Candidate>,
  found: Enrolment | undefined,
  listed: readonly string[] = ['i-1'],
): Admission =>
  admit(
    { machine, machineKey: 'first', isProven: false, ...candidate },
    { enrolment: found, isListed: (id) => listed.includes(id), namesake: () => undefined, nowMs: NOW_MS },
  );
const refused = (reason: RegExp) => ({ action: 'refuse', reason: expect.stringMatching(reason) });

test('a machine that nobody knows has to bring evidence, and is enrolled with it', () => {
  expect(admitted({}, undefined)).toEqual({ action: 'want-evidence' });
  expect(admitted({ isProven: true }, undefined)).toEqual({ action: 'enrol', clear: 'nothing' });
});

test('a first attestation comes within a day', () => {
  const late = { ...machine, launchedMs: NOW_MS - 25 * HOUR_MS };
  expect(admitted({ isProven: true, machine: late }, undefined)).toEqual(refused(/more than a day/));
});

test('one that was prepared for later attests for the first time when it is started again', () => {
  const warmed = { ...machine, launchedMs: NOW_MS - 300 * HOUR_MS, startedMs: NOW_MS - HOUR_MS };
  expect(admitted({ isProven: true, machine: warmed }, undefined)).toEqual({ action: 'enrol', clear: 'nothing' });
  const late = { ...warmed, startedMs: NOW_MS - 25 * HOUR_MS };
  expect(admitted({ isProven: true, machine: late }, undefined)).toEqual(
    refused(/more than a day after it was started/),
  );
});

test('the machine of that key may come again, however old it is', () => {
  const old = { launchedMs: NOW_MS - 2000 * HOUR_MS };
  expect(admitted({ machine: { ...machine, ...old } }, { ...enrolment, ...old })).toEqual({ action: 'accept' });
});

test('another key of the same instance is refused, with evidence too, unless a person permits it', () => {
  expect(admitted({ machineKey: 'second' }, enrolment)).toEqual({ action: 'want-evidence' });
  expect(admitted({ machineKey: 'second', isProven: true }, enrolment)).toEqual(refused(/another key/));
  const permitted: Enrolment = { ...enrolment, permitsNewKey: true };
  expect(admitted({ machineKey: 'second' }, permitted)).toEqual({ action: 'want-evidence' });
  expect(admitted({ machineKey: 'second', isProven: true }, permitted)).toEqual({ action: 'enrol', clear: 'nothing' });
});

test('another instance takes the name once the first is gone, but not with the key of the first alone', () => {
  const other = { machine: { ...machine, instanceId: 'i-2' }, isProven: true };
  expect(admitted(other, enrolment, ['i-1', 'i-2'])).toEqual(refused(/i-1 has that name/));
  expect(admitted(other, enrolment, ['i-2'])).toEqual({ action: 'enrol', clear: 'node' });
  expect(admitted({ ...other, isProven: false }, enrolment, ['i-2'])).toEqual({ action: 'want-evidence' });
});

test('an instance of the same id that was made again is another one', () => {
  const again = { machine: { ...machine, launchedMs: NOW_MS }, machineKey: 'second', isProven: true };
  expect(admitted(again, enrolment)).toEqual({ action: 'enrol', clear: 'node' });
});

test('the Node of a name that goes to another group is cleared first', () => {
  const other = { machine: { ...machine, instanceId: 'i-2', instanceGroup: 'gpu' }, isProven: true };
  expect(admitted(other, enrolment, ['i-2'])).toEqual({ action: 'enrol', clear: 'node and pods' });
});

test('a machine that is listed under another group than at first is refused, with its key too', () => {
  const moved = { machine: { ...machine, instanceGroup: 'gpu' } };
  expect(admitted(moved, enrolment)).toEqual(refused(/was in the group nodes/));
  expect(admitted({ ...moved, isProven: true }, enrolment)).toEqual(refused(/was in the group nodes/));
});

test('a revoked machine gets nothing, whatever it brings, and however long ago that was', () => {
  const revoked = { ...enrolment, revokedAt: '2026-01-02T11:30:00Z' };
  expect(admitted({}, revoked)).toEqual(refused(/revoked/));
  expect(admitted({ isProven: true }, revoked)).toEqual(refused(/revoked/));
  expect(admitted({ isProven: true, machineKey: 'second' }, { ...revoked, permitsNewKey: true })).toEqual(
    refused(/revoked/),
  );
  expect(admitted({ isProven: true }, { ...revoked, revokedAt: '2025-01-02T11:30:00Z' })).toEqual(refused(/revoked/));
});

test('another machine has the name of a revoked one when that is gone, and so are its certificates', () => {
  const revoked = { ...enrolment, revokedAt: '2026-01-02T11:30:00Z' };
  const next = { machine: { ...machine, instanceId: 'i-2' }, isProven: true };
  expect(admitted(next, revoked, ['i-1', 'i-2'])).toEqual(refused(/still lists/));
  expect(admitted(next, revoked, ['i-2'])).toEqual(refused(/cannot be used again until 2026-01-05T12:30:00/));
  const old = { ...revoked, revokedAt: '2025-12-30T11:00:00Z' };
  expect(admitted(next, old, ['i-1', 'i-2'])).toEqual(refused(/still lists/));
  expect(admitted(next, old, ['i-2'])).toEqual({ action: 'enrol', clear: 'node' });
  const madeAgain = { machine: { ...machine, launchedMs: NOW_MS }, isProven: true };
  expect(admitted(madeAgain, revoked)).toEqual(refused(/cannot be used again until/));
});

test('whatever else is the case, a revoked instance is refused and its name is at rest', () => {
  const flag = fc.boolean();
  const hours = fc.integer({ min: 0, max: 72 });
  const tried = fc.record({ isSame: flag, isProven: flag, isKnownKey: flag, isListed: flag, permits: flag, hours });
  fc.assert(
    fc.property(tried, ({ isSame, isProven, isKnownKey, isListed, permits, hours }) => {
      const revoked: Enrolment = {
        ...enrolment,
        revokedAt: new Date(NOW_MS - hours * HOUR_MS).toISOString(),
        ...(permits && { permitsNewKey: true }),
      };
      const candidate = {
        machine: isSame ? machine : { ...machine, instanceId: 'i-2' },
        machineKey: isKnownKey ? 'first' : 'second',
        isProven,
      };
      const { action } = admitted(candidate, revoked, isListed ? ['i-1', 'i-2'] : ['i-2']);
      // A machine without evidence is asked for some before it learns anything.
      expect(action).toBe(!isSame && !isProven ? 'want-evidence' : 'refuse');
    }),
  );
});

test('a name that two machines have is given to neither, whoever had it before', () => {
  const around = { isListed: (id: string) => id !== 'i-0', nowMs: NOW_MS, namesake: () => 'i-9' };
  const before: Enrolment = { ...enrolment, instanceId: 'i-0' };
  const permitted: Enrolment = { ...enrolment, permitsNewKey: true };
  for (const found of [undefined, before, permitted, enrolment]) {
    const proven = { machine, machineKey: 'second', isProven: true };
    expect(admit(proven, { ...around, enrolment: found })).toEqual(refused(/i-9 has the same name|another key/));
  }
  // Its certificates would be good for the other one's Secrets.
  const first = { machine, machineKey: 'first', isProven: false };
  expect(admit(first, { ...around, enrolment })).toEqual(refused(/i-9 has the same name/));
});

test('a name that nobody had and two machines have is given to neither', () => {
  const around = { enrolment: undefined, isListed: () => true, nowMs: NOW_MS, namesake: () => 'i-9' };
  expect(admit({ machine, machineKey: 'first', isProven: true }, around)).toEqual(refused(/i-9 has the same name/));
});

test('a machine that does not run is refused', () => {
  expect(admitted({ machine: { ...machine, running: false }, isProven: true }, undefined)).toEqual(refused(/running/));
});
