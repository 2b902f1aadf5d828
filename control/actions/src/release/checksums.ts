/** The list of a release, in the form of `sha256sum`. */
export const CHECKSUMS = 'SHA256SUMS';
export const SIGNATURE = `${CHECKSUMS}.sig`;

/** A release has about twenty files. */
const MAX_FILES = 1000;

/** A plain name in the same folder: no separator, no leading dot or dash, nothing that a terminal or shell would act on. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._+~-]{0,199}$/;

/** The hashes by the names of files. @throws Error that completes "SHA256SUMS …", with the line */
export function parseChecksums(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n');
  if (text === '') throw new Error('lists no file');
  if (lines.pop() !== '') throw new Error('does not end with a line feed: it was cut short');
  if (lines.length > MAX_FILES) throw new Error(`lists ${lines.length} files; at most ${MAX_FILES} are expected`);
  const hashes = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, hash, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    const at = `line ${index + 1}`;
    if (hash === undefined || name === undefined) throw new Error(`${at} is not "SHA-256, two spaces, name"`);
    if (!NAME.test(name)) throw new Error(`${at} names no plain file: ${JSON.stringify(name.slice(0, 80))}`);
    if (name === CHECKSUMS || name === SIGNATURE) throw new Error(`${at} lists ${name} itself`);
    if (hashes.has(name)) throw new Error(`${at} lists ${name} again`);
    hashes.set(name, hash);
  }
  return hashes;
}

/** The list, sorted by name. */
export function printChecksums(hashes: ReadonlyMap<string, string>): string {
  const sorted = [...hashes].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([name, hash]) => `${hash}  ${name}\n`).join('');
}
