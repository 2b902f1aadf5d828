import { Fields } from './fields.ts';
import { lzwCompress, lzwDecompress } from './lzw.ts';
import { TYPE } from './message.ts';
import { PackReader } from './pack-reader.ts';
import { PackWriter } from './pack-writer.ts';
import { Refusal } from './refusal.ts';

/** The only algorithm of memberlist (util.go lzwAlgo). */
const LZW = 0;

/** Compresses a message; the result is a message of type `compress`. */
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

/** Decompresses a message. Throws Refusal, also if the result would exceed `maxBytes`. */
export function decompressed(message: Uint8Array, maxBytes: number): Uint8Array {
  const read = new Fields(new PackReader(message, 1).map());
  if (read.uint('Algo') !== LZW) throw new Refusal('unknown-type', 'the compression algorithm is not LZW');
  return lzwDecompress(read.bytes('Buf', message.length), maxBytes);
}
