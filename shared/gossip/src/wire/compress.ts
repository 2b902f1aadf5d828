import { Fields } from './fields.ts';
import { lzwCompress, lzwDecompress } from './lzw.ts';
import { TYPE } from './message.ts';
import { PackReader } from './pack-reader.ts';
import { PackWriter } from './pack-writer.ts';
import { Refusal } from './refusal.ts';

/** The one algorithm that memberlist has (util.go lzwAlgo). */
const LZW = 0;

/** Any messages, made smaller; what comes out is a message too. */
export function compressed(message: Uint8Array): Uint8Array {
  const packed = lzwCompress(message);
  return new PackWriter(packed.length + 32)
    .byte(TYPE.compress)
    .map(2)
    .key('Algo')
    .uint(LZW)
    .key('Buf')
    .bytes(packed)
    .finish();
}

/** What `compressed` was given. Throws Refusal, also where more than `maxBytes` would come out. */
export function decompressed(message: Uint8Array, maxBytes: number): Uint8Array {
  const read = new Fields(new PackReader(message, 1).map());
  if (read.uint('Algo') !== LZW) throw new Refusal('unknown-type', 'compressed by an algorithm that is not LZW');
  return lzwDecompress(read.bytes('Buf', message.length), maxBytes);
}
