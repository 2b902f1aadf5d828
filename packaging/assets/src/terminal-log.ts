import { progressBar } from '@kopsctl/cli/output/paint.ts';
import { showBar, writeErr } from '@kopsctl/cli/output/terminal.ts';

import type { MakeOptions } from './prepare-assets.ts';

/** Lines on standard error and, on a terminal, a bar below them that shows how much of the assets is there. */
export function terminalLog(nowMs: () => number = Date.now): Required<Pick<MakeOptions, 'log' | 'onProgress'>> {
  const startedMs = nowMs();
  return {
    log: (line) => writeErr(`${line}\n`),
    onProgress: (done, total) =>
      showBar(done === total ? '' : progressBar({ done, total, what: 'assets', elapsedMs: nowMs() - startedMs })),
  };
}
