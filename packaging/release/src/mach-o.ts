/** What is checked in an executable for macOS where none can be run. */
export interface MachO {
  readonly arch: 'amd64' | 'arm64';
  /** The size of Node's section for the program, NODE_SEA,__NODE_SEA_BLOB. */
  readonly blobBytes: number;
  /** Whether a code signature is there. Node's signature no longer matches a file with a blob in it. */
  readonly isSigned: boolean;
}

const MAGIC_64 = 0xfeedfacf;
const EXECUTABLE = 2;
const HEADER_BYTES = 32;
const SEGMENT_BYTES = 72;
const SECTION_BYTES = 80;
const SEGMENT_64 = 0x19;
const CODE_SIGNATURE = 0x1d;
const ARCHITECTURES: Readonly<Record<number, MachO['arch']>> = { 0x01000007: 'amd64', 0x0100000c: 'arm64' };

/** Reads the load commands of a 64-bit executable for macOS. @throws Error that completes "FILE …" */
export function readMachO(bytes: Buffer): MachO {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC_64) throw new Error('is not a 64-bit Mach-O file');
  const arch = ARCHITECTURES[bytes.readUInt32LE(4)];
  if (arch === undefined) throw new Error('is for an unknown processor');
  if (bytes.readUInt32LE(12) !== EXECUTABLE) throw new Error('is not an executable');
  let isSigned = false;
  let blobBytes: number | undefined;
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    const command = bytes.readUInt32LE(at);
    const size = bytes.readUInt32LE(at + 4);
    if (size < 8 || at + size > bytes.length) throw new Error('has a load command that is cut short');
    if (command === CODE_SIGNATURE) isSigned = true;
    if (command === SEGMENT_64) blobBytes = blobOf(bytes, at) ?? blobBytes;
    at += size;
  }
  if (blobBytes === undefined) throw new Error('has no section __NODE_SEA_BLOB');
  return { arch, blobBytes, isSigned };
}

function blobOf(bytes: Buffer, segment: number): number | undefined {
  const sections = bytes.readUInt32LE(segment + 64);
  for (let index = 0; index < sections; index += 1) {
    const at = segment + SEGMENT_BYTES + index * SECTION_BYTES;
    if (nameAt(bytes, at) !== '__NODE_SEA_BLOB' || nameAt(bytes, at + 16) !== 'NODE_SEA') continue;
    const size = Number(bytes.readBigUInt64LE(at + 40));
    if (bytes.readUInt32LE(at + 48) + size > bytes.length) throw new Error('ends within __NODE_SEA_BLOB');
    return size;
  }
  return undefined;
}

const nameAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 16).split('\0', 1)[0] ?? '';
