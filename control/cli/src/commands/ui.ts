import { once } from 'node:events';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeErr, writeOut } from '../output/terminal.ts';
import { serveUi } from '../ui/server.ts';

/** Serves pages about the clusters of the store on this computer, until it is interrupted. */
export async function ui(
  global: GlobalOptions,
  { port }: { readonly port: number },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = { ...actionContext(global, env, { endsInOrder: true }), onEvent: () => {} };
  const running = await serveUi(context, port);
  writeOut(`${running.url}\n`);
  writeErr('The address works once, in one browser. Ctrl-C stops the server.\n');
  if (!context.signal.aborted) await once(context.signal, 'abort');
  await running.close();
  return 0;
}
