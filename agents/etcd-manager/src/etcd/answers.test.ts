import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { idIn, isSet, messageIn, messagesIn, numberIn, optionalIdIn, parseAnswer, textIn, textsIn } from './answers.ts';

const ABOUT = 'etcd at https://a:4001 answered /maintenance/status';
const parse = (value: unknown) => parseAnswer(JSON.stringify(value), ABOUT);

test('fields that protobuf leaves out are zero, empty or false', () => {
  const answer = parse({});
  expect(numberIn(answer, 'dbSize')).toBe(0);
  expect(textIn(answer, 'name')).toBe('');
  expect(isSet(answer, 'isLearner')).toBe(false);
  expect(optionalIdIn(answer, 'leader')).toBeUndefined();
  expect(messagesIn(answer, 'members')).toEqual([]);
  expect(textsIn(answer, 'peerURLs')).toEqual([]);
});

test('64-bit numbers are strings of digits, and ids keep all of them', () => {
  const answer = parse({ header: { member_id: '17237436991929493444' }, leader: '0', dbSize: '20480', hash: 7 });
  expect(idIn(messageIn(answer, 'header'), 'member_id')).toBe('17237436991929493444');
  expect(optionalIdIn(answer, 'leader')).toBeUndefined();
  expect(numberIn(answer, 'dbSize')).toBe(20480);
  expect(numberIn(answer, 'hash')).toBe(7);
});

test('an answer that etcd never gives is refused with the name of the field', () => {
  expect(() => parseAnswer('<html>', ABOUT)).toThrow(`${ABOUT} with something other than JSON`);
  expect(() => parse([])).toThrow(`${ABOUT}: expected an object, found []`);
  expect(() => messageIn(parse({}), 'header')).toThrow(`${ABOUT}, header: expected an object, found nothing`);
  expect(() => idIn(parse({}), 'member_id')).toThrow(`${ABOUT} without member_id`);
  expect(() => idIn(parse({ ID: 'x' }), 'ID')).toThrow('expected ID, found "x"');
  expect(() => numberIn(parse({ dbSize: 'large' }), 'dbSize')).toThrow('expected dbSize, found "large"');
  expect(() => textIn(parse({ name: 1 }), 'name')).toThrow('expected name, found 1');
  expect(() => textsIn(parse({ peerURLs: [1] }), 'peerURLs')).toThrow('expected peerURLs, found 1');
  expect(() => isSet(parse({ isLearner: 'yes' }), 'isLearner')).toThrow('expected isLearner, found "yes"');
  expect(() => messagesIn(parse({ members: {} }), 'members')).toThrow('expected members, found {}');
});

test('whatever JSON a server answers, a reader gives its type or refuses with the name of the field', () => {
  const ids = /^\d+$/;
  assert(
    property(jsonValue(), (value) => {
      const answer = parse({ field: value });
      const told = <T>(read: () => T): T | undefined => {
        try {
          return read();
        } catch (error) {
          // Every error says what was answered, and by whom.
          if (!String(error).includes(ABOUT)) throw error;
          return undefined;
        }
      };
      const id = told(() => optionalIdIn(answer, 'field'));
      expect(id === undefined || (ids.test(id) && id !== '0')).toBe(true);
      expect(Number.isSafeInteger(told(() => numberIn(answer, 'field')) ?? 0)).toBe(true);
      expect(typeof (told(() => textIn(answer, 'field')) ?? '')).toBe('string');
      expect(typeof (told(() => isSet(answer, 'field')) ?? false)).toBe('boolean');
      for (const message of told(() => messagesIn(answer, 'field')) ?? []) expect(message.fields).toBeTypeOf('object');
      for (const text of told(() => textsIn(answer, 'field')) ?? []) expect(text).toBeTypeOf('string');
    }),
  );
});

test('ids and numbers at the ends of their range are neither rounded nor taken for another', () => {
  const answer = parse({ id: '18446744073709551615', big: '9223372036854775807', least: '-1', empty: '' });
  expect(idIn(answer, 'id')).toBe('18446744073709551615');
  expect(numberIn(answer, 'least')).toBe(-1);
  // JavaScript cannot hold this number, and a rounded one is not returned.
  expect(() => numberIn(answer, 'big')).toThrow('expected big, found "9223372036854775807"');
  expect(() => idIn(answer, 'empty')).toThrow('expected empty, found ""');
});

test('an id that is zero counts as left out, printed or not', () => {
  const answer = parse({ text: '0' });
  for (const field of ['text', 'missing']) expect(optionalIdIn(answer, field)).toBeUndefined();
  expect(() => idIn(answer, 'text')).toThrow(`${ABOUT} without text`);
});
