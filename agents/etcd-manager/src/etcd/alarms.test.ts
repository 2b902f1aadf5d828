import { expect, test } from 'vitest';
import { alarmsIn, alarmsOf } from './alarms.ts';
import { parseAnswer } from './answers.ts';

const ABOUT = 'etcd at https://a:4001 answered /maintenance/alarm';
const read = (value: unknown) => alarmsIn(parseAnswer(JSON.stringify(value), ABOUT));

test('an alarm names its member, and one without a name may be that of any member', () => {
  const alarms = read({
    header: { member_id: '1' },
    // The gateway leaves a zero out; grpc-gateway 2 may be told to print it.
    alarms: [
      { memberID: '17237436991929493444', alarm: 'NOSPACE' },
      { alarm: 'CORRUPT' },
      { memberID: '0', alarm: 'CORRUPT' },
    ],
  });
  expect(alarms).toEqual([
    { memberId: '17237436991929493444', alarm: 'NOSPACE' },
    { alarm: 'CORRUPT' },
    { alarm: 'CORRUPT' },
  ]);
  expect(alarmsOf(alarms, '17237436991929493444')).toHaveLength(3);
  expect(alarmsOf(alarms, '2')).toEqual([{ alarm: 'CORRUPT' }, { alarm: 'CORRUPT' }]);
});

test('no alarms are none, and alarms that only a newer etcd knows are left to it', () => {
  expect(read({})).toEqual([]);
  expect(read({ alarms: [{ memberID: '1', alarm: 'FUTURE' }, { memberID: '1' }] })).toEqual([]);
});

test('an alarm of something that is not a member is refused', () => {
  expect(() => read({ alarms: [{ memberID: 'a', alarm: 'CORRUPT' }] })).toThrow(
    `${ABOUT}, alarms: expected memberID, found "a"`,
  );
});
