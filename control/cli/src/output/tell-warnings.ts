import { writeErr } from './terminal.ts';

/**
 * Takes over the warnings of Node.js, such as one of a library that looked for the metadata server of a cloud in vain.
 * They are for those who write programs, and Node.js prints them on standard error whatever the form of its lines is.
 *
 * @param isTold asked at each warning, as options may be read after this
 */
export function tellWarnings(isTold: () => boolean): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (isTold()) writeErr(`${name}: ${message}\n`);
  });
}
