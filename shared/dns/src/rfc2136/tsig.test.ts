import { expect, test } from 'vitest';
import { CLASS, decodeMessage, encodeMessage, OPCODE, TYPE } from './message.ts';
import { AnswerVerifier, signRequest } from './tsig.ts';
import { TsigKey } from './tsig-key.ts';
import { updateRecords } from './update-records.ts';

/** The answer of bind9 9.18.49 to the request below; knot 3.2.6 answered the same bytes. */
const ANSWER = Buffer.from(
  '1234a8000001000000000001076578616d706c6503636f6d0000060001066167656e74730000fa00ff00000000003d0b686d61632d73686132353600' +
    '00006b0162fc012c002067ecc6474bec12605330a2f2ebf0cb2e8ac5dfcc400f46a699efb5db496f9398123400000000',
  'hex',
);
const NOW_SECONDS = 1_795_252_988;
const key = new TsigKey('agents', 'hmac-sha256', Buffer.from('a secret of 32 bytes for testing'));

function request() {
  const after = { name: 'a.example.com', type: 'A', ttlSeconds: 60, values: ['10.0.0.1'] } as const;
  const { prerequisites, updates } = updateRecords({ name: after.name, summary: '', sets: [{ after }] });
  const question = { name: 'example.com', type: TYPE.SOA };
  return signRequest(
    encodeMessage({ id: 0x1234, opcode: OPCODE.update, question, sections: [prerequisites, updates, []] }),
    key,
    NOW_SECONDS,
  );
}

const check = (bytes: Buffer, by = key, nowSeconds = NOW_SECONDS) =>
  new AnswerVerifier(by, request().mac).check(decodeMessage(bytes), nowSeconds);

test('an answer of bind9 and knot is authentic', () => {
  expect(check(ANSWER)).toEqual({ is: 'authentic' });
});

test('an answer is authentic only within five minutes', () => {
  expect(check(ANSWER, key, NOW_SECONDS + 300)).toEqual({ is: 'authentic' });
  expect(check(ANSWER, key, NOW_SECONDS + 301)).toEqual({ is: 'forged', why: 'it was signed 301 s ago' });
});

test('an answer to another request, with another key or without any is not authentic', () => {
  const stranger = new TsigKey('agents', 'hmac-sha256', Buffer.from('another secret'));
  expect(check(ANSWER, stranger)).toEqual({ is: 'forged', why: 'its signature is wrong' });
  const renamed = new TsigKey('others', 'hmac-sha256', Buffer.from('a secret of 32 bytes for testing'));
  expect(check(ANSWER, renamed)).toEqual({ is: 'forged', why: 'it is signed with agents (hmac-sha256)' });
  const unsigned = Buffer.from(ANSWER.subarray(0, 29));
  unsigned.writeUInt16BE(0, 10);
  expect(check(unsigned)).toEqual({ is: 'forged', why: 'it is not signed' });
  const other = new AnswerVerifier(key, Buffer.alloc(32));
  expect(other.check(decodeMessage(ANSWER), NOW_SECONDS)).toEqual({ is: 'forged', why: 'its signature is wrong' });
});

test('every changed bit is detected, except in the id, which is checked elsewhere, and in the case of key and algorithm', () => {
  const isAuthentic = (bytes: Buffer): boolean => {
    try {
      return check(bytes).is === 'authentic';
    } catch (thrown) {
      if (thrown instanceof RangeError) return false;
      throw thrown;
    }
  };
  const survivors: number[] = [];
  for (let bit = 0; bit < ANSWER.length * 8; bit++) {
    const changed = Buffer.from(ANSWER);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    if (isAuthentic(changed)) survivors.push(bit);
  }
  const caseOf = (name: string) => {
    const at = ANSWER.indexOf(name);
    const letters = Array.from(name.matchAll(/[a-z]/g), ({ index }) => (at + index) * 8 + 5);
    return letters;
  };
  const id = Array.from({ length: 16 }, (_, bit) => bit);
  expect(survivors).toEqual([...id, ...caseOf('agents'), ...caseOf('hmac-sha256')]);
});

test('an update has what it replaces as its prerequisites, so that no write is blind', () => {
  const old = { name: 'x.example.com', type: 'A', ttlSeconds: 60, values: ['10.0.0.1', '10.0.0.2'] } as const;
  const told = (sets: Parameters<typeof updateRecords>[0]['sets']) => {
    const { prerequisites, updates } = updateRecords({ name: old.name, summary: '', sets });
    const className = (code: number) => Object.entries(CLASS).find(([, known]) => known === code)?.[0];
    const typeName = (code: number) => Object.entries(TYPE).find(([, known]) => known === code)?.[0];
    const line = (record: (typeof updates)[number]) =>
      `${className(record.class)} ${typeName(record.type)} ${record.ttlSeconds} ${[...record.data].join('.')}`.trim();
    return { needs: prerequisites.map(line), does: updates.map(line) };
  };
  expect(told([{ before: old, after: { ...old, values: ['10.0.0.3'] } }])).toEqual({
    needs: ['IN A 0 10.0.0.1', 'IN A 0 10.0.0.2'],
    does: ['ANY A 0', 'IN A 60 10.0.0.3'],
  });
  const cname = { name: old.name, type: 'CNAME', ttlSeconds: 60, values: ['y'] } as const;
  expect(told([{ after: cname }]).needs).toEqual(['NONE CNAME 0', 'NONE ANY 0']);
  expect(told([{ before: old }, { after: cname }])).toEqual({
    needs: ['IN A 0 10.0.0.1', 'IN A 0 10.0.0.2', 'NONE CNAME 0', 'NONE AAAA 0', 'NONE TXT 0'],
    does: ['ANY A 0', 'IN CNAME 60 1.121.0'],
  });
});
