import { accessCluster } from '@kopsctl/apply/cluster-access.ts';
import { parseDuration } from '@kopsctl/apply/duration.ts';
import { followCluster } from '@kopsctl/apply/follow-cluster.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { interruption } from '../interruption.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { describeProgress } from '../progress.ts';
import type { GlobalOptions } from '../program.ts';

/** Says what is wrong with a running cluster. Exits with 2 on failures, as kops does. */
export async function validate(
  global: GlobalOptions,
  name: string | undefined,
  options: { readonly wait?: string; readonly output: 'table' | 'json' },
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, name, store);
  const access = await accessCluster(store, cluster, localSettings(process.env, undefined));
  const startedMs = Date.now();
  const waitMs = options.wait === undefined ? 0 : parseDuration(options.wait, '--wait');
  const { failures } = await followCluster({
    store,
    cluster,
    expected: () => access.expectedNodes(),
    api: access.api,
    onProgress: (progress) => {
      const line = options.wait === undefined ? undefined : describeProgress(progress, startedMs);
      if (line !== undefined) process.stderr.write(`${line}\n`);
    },
    deadlineMs: startedMs + waitMs,
    signal: interruption(),
  });
  if (options.output === 'json') {
    process.stdout.write(`${JSON.stringify({ cluster, valid: failures.length === 0, failures }, null, 2)}\n`);
  } else if (failures.length === 0) {
    process.stdout.write(`Your cluster ${cluster} is ready\n`);
  } else {
    for (const { kind, name: what, message } of failures) process.stdout.write(`${kind}\t${what}\t${message}\n`);
  }
  return failures.length === 0 ? 0 : 2;
}
