import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { lzwCompress, lzwDecompress } from './lzw.ts';
import { Refusal, refusing } from './refusal.ts';

const MIB = 1024 * 1024;
const repeated = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 900 }))
  .map(([part, times]) => Buffer.concat(Array.from({ length: times }, () => part)));

describe('LZW', () => {
  it('decompresses to the original data', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 9000 }), repeated), (data) => {
        expect(Buffer.from(lzwDecompress(lzwCompress(data), MIB)).equals(Buffer.from(data))).toBe(true);
      }),
      { numRuns: often(200, 4_000) },
    );
  });

  it('writes codes like GIF, lowest bit first', () => {
    // Clear, T, O, B, E, O, R, N, O, T, TO, BE, OR, TOB, EO, RN, OT, end: codes of 9 bits.
    expect(Buffer.from(lzwCompress(Buffer.from('TOBEORNOTTOBEORTOBEORNOT'))).toString('hex')).toBe(
      '00a93c1152e48914274fa80824687061c183090302',
    );
  });

  it('reads data whose full table is not cleared, as other writers produce it', () => {
    // 4,000 literals of 9 to 12 bits fill the table; the following codes still have 12 bits.
    const bits: number[] = [];
    const put = (code: number, width: number): void => {
      for (let bit = 0; bit < width; bit += 1) bits.push((code >> bit) & 1);
    };
    put(256, 9);
    let highest = 257;
    let width = 9;
    for (let count = 0; count < 4200; count += 1) {
      put(65, width);
      if (highest < 4095) highest += 1;
      if (highest === 1 << width && width < 12) width += 1;
    }
    put(257, 12);
    const bytes = Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
      bits.slice(index * 8, index * 8 + 8).reduce((byte, bit, at) => byte | (bit << at), 0),
    );
    expect(Buffer.from(lzwDecompress(bytes, MIB)).toString()).toBe('A'.repeat(4200));
  });

  it('refuses data that decompresses to more than the limit', () => {
    const bomb = lzwCompress(new Uint8Array(4 * MIB));
    expect(bomb.length).toBeLessThan(10_000);
    expect(refusing(() => lzwDecompress(bomb, MIB))).toMatchObject({ reason: 'too-large' });
  });

  it('decompresses or refuses any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (bytes, isCleared) => {
        const data = isCleared ? Uint8Array.of(0, 1, ...bytes) : bytes;
        const result = refusing(() => lzwDecompress(data, 4096));
        expect(result instanceof Refusal || result.length <= 4096).toBe(true);
      }),
      { numRuns: often(2_000, 40_000) },
    );
  });
});
