import { showBar, writeErr } from './output/terminal.ts';

/** Aborted by the first Ctrl-C or SIGTERM; the second one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) {
      showBar('');
      process.exit(130);
    }
    writeErr('stopping after the current step; press Ctrl-C again to stop immediately\n');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
