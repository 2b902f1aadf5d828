import { showBar, writeErr } from './output/terminal.ts';

/** Aborted by the first Ctrl-C or SIGTERM; the second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) {
      showBar('');
      process.exit(130);
    }
    writeErr('stopping; what is under way is finished first (once more to stop at once)\n');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
