import { ifUnchanged } from '../../condition.ts';
import { ConflictError } from '../../store.ts';
import { createFileStore } from '../file-store.ts';

/** Counts `demo/counter` up for ever, against others who do the same, and prints a line after each success. */
const [url = '', size = '0'] = process.argv.slice(2);
const store = createFileStore(url);
for (;;) {
  const stored = await store.read('demo/counter');
  const count = stored === undefined ? 0 : Number(Buffer.from(stored.bytes.subarray(0, 20)).toString().split(' ')[0]);
  const bytes = Buffer.from(`${count + 1} `.padEnd(Number(size), 'x'));
  try {
    await store.write('demo/counter', bytes, ifUnchanged(stored?.version));
    process.stdout.write(`${count + 1}\n`);
  } catch (thrown) {
    if (!(thrown instanceof ConflictError)) throw thrown;
  }
}
