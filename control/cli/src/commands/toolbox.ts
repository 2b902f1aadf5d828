import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';
import { usageError } from '../flags/usage-error.ts';

export async function unlock(global: GlobalOptions, name: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  const { unlockCluster } = await import('@kopsctl/actions/unlock-cluster.ts');
  const { cluster, broken } = await unlockCluster(actionContext(global, env), { cluster: name });
  if (broken === undefined) {
    const others = 'Locks of rolling updates and upgrades are not broken';
    writeOut(`Nobody held the lock of ${cluster}. ${others}: they expire two minutes after their holders have ended\n`);
    return 0;
  }
  const { owner, purpose, acquiredMs } = broken;
  const held = `${owner} has held it for "${purpose}" since ${new Date(acquiredMs).toISOString()}`;
  writeOut(
    `The lock of ${cluster} is broken: ${held}. If that still goes on, it notices within half a minute, and stops\n`,
  );
  return 0;
}

export async function printSchema(word: string, version: ApiVersion): Promise<number> {
  const { jsonSchema, jsonSchemaOfFiles } = await import('@kopsctl/spec/json-schema.ts');
  const { isKind, KINDS } = await import('@kopsctl/spec/kinds.ts');
  const { defaultValues } = await import('@kopsctl/actions/default-values.ts');
  const kind = Object.keys(KINDS)
    .filter(isKind)
    .find((one) => one.toLowerCase() === word.toLowerCase());
  if (kind === undefined && word !== 'all') {
    throw usageError({
      what: `print the schema of ${word}`,
      why: 'there is no such kind',
      next: `choose one of ${Object.keys(KINDS).join(', ')}, or all`,
    });
  }
  const schema =
    kind === undefined ? jsonSchemaOfFiles(version, defaultValues) : jsonSchema(kind, version, defaultValues(kind));
  writeDocument(`${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}

export async function collectGarbage(global: GlobalOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { collectGarbage: collect } = await import('@kopsctl/actions/collect-garbage.ts');
  const removed = await collect(actionContext(global, env));
  writeOut(removed.length === 0 ? 'nothing was left behind\n' : removed.map((one) => `removed ${one}\n`).join(''));
  return 0;
}
