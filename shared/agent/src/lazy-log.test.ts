import { expect, test, vi } from 'vitest';
import { lazyLog } from './lazy-log.ts';
import { type Log, makeLog } from './log.ts';

/** Without it vitest waits for a second, which a busy computer may need for one look. */
const WAIT = { timeout: 30_000 };

test('it is opened once, for the first line, and lines keep their order', async () => {
  const lines: string[] = [];
  const open = vi.fn<() => Promise<Log>>(() => Promise.resolve(makeLog((line) => lines.push(line), false, 'nodeup')));
  const log = lazyLog(open);
  const about = log.about('plan');
  expect(open).not.toHaveBeenCalled();
  log.info('one');
  log.error('two', { error: new Error('disk full') });
  about.warn('three');
  await vi.waitFor(() => expect(lines).toHaveLength(3), WAIT);
  expect(lines.filter((line) => !line.includes('three'))).toEqual(['nodeup: one\n', 'nodeup: two error="disk full"\n']);
  expect(lines).toContain('nodeup plan: three\n');
  expect(open).toHaveBeenCalledTimes(1);
});
