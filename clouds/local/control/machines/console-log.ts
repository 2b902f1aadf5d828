import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** Two files are kept per machine, enough for hundreds of boots. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The serial console of a machine on disk. When the file is full it becomes `<path>.1`, and a new file begins. */
export interface ConsoleLog {
  write(chunk: Buffer): void;
  close(): void;
}

export function openConsoleLog(path: string, maxBytes = MAX_BYTES): ConsoleLog {
  let fd = openSync(path, 'a', 0o600);
  let size = fstatSync(fd).size;
  return {
    write(chunk) {
      if (size + chunk.length > maxBytes && size > 0) {
        closeSync(fd);
        renameSync(path, `${path}.1`);
        fd = openSync(path, 'a', 0o600);
        size = 0;
      }
      writeSync(fd, chunk);
      size += chunk.length;
    },
    close() {
      closeSync(fd);
    },
  };
}
