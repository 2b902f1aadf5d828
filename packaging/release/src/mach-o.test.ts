import { describe, expect, test } from 'vitest';

import { readMachO } from './mach-o.ts';

/** An executable for arm64 with one segment of one section, and after it the load commands that are given. */
function executable({ section = '__NODE_SEA_BLOB', signed = false, offset = 512 } = {}): Buffer {
  const bytes = Buffer.alloc(1024);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(0x0100000c, 4);
  bytes.writeUInt32LE(2, 12);
  bytes.writeUInt32LE(signed ? 2 : 1, 16);
  bytes.writeUInt32LE(0x19, 32);
  bytes.writeUInt32LE(152, 36);
  bytes.writeUInt32LE(1, 32 + 64);
  bytes.write(section, 104, 'latin1');
  bytes.write('NODE_SEA', 120, 'latin1');
  bytes.writeBigUInt64LE(100n, 144);
  bytes.writeUInt32LE(offset, 152);
  if (signed) {
    bytes.writeUInt32LE(0x1d, 184);
    bytes.writeUInt32LE(16, 188);
  }
  return bytes;
}

test('processor, blob and signature are read', () => {
  expect(readMachO(executable())).toEqual({ arch: 'arm64', blobBytes: 100, isSigned: false });
  expect(readMachO(executable({ signed: true }))).toMatchObject({ isSigned: true });
});

describe('refused is', () => {
  test.each([
    ['a file without the section', executable({ section: '__text' }), 'has no section __NODE_SEA_BLOB'],
    ['a section that ends after the file', executable({ offset: 1000 }), 'ends within __NODE_SEA_BLOB'],
    ['a file for Linux', Buffer.from('\x7fELF'.padEnd(64, '\0'), 'latin1'), 'is not a 64-bit Mach-O file'],
    ['a file that is cut short', executable().subarray(0, 150), 'has a load command that is cut short'],
  ])('%s', (_, bytes, why) => {
    expect(() => readMachO(bytes)).toThrow(why);
  });
});
