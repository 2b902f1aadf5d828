import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createObjects } from '@kopsctl/actions/create-objects.ts';
import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { updateCluster } from '@kopsctl/actions/update-cluster.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { recordedFolder } from './recorded-cases.ts';

/** A recorded spec as kops has it. */
export const recordedSpec = (name: string): Promise<string> =>
  readFile(join(recordedFolder, 'update_cluster', name, 'in-v1alpha2.yaml'), 'utf8');

/** The name of the cluster in a spec. */
export const clusterIn = (spec: string): string =>
  /kind: Cluster\nmetadata:[\s\S]*?\n {2}name: (\S+)/.exec(spec)?.[1] ?? '';

/** A spec with a region and with ids as AWS has them: those of the recorded specs are made up. */
export const asInAws = (spec: string): string =>
  spec
    .replaceAll('us-test-1', 'us-east-1')
    .replaceAll(/\b(eipalloc|nat|rtb|sg|subnet|tgw|vpc)-[a-z0-9]+(?=["\s])/g, (id, kind: string) =>
      /-(?:[a-f0-9]{8}|[a-f0-9]{17})$/.test(id)
        ? id
        : `${kind}-${createHash('sha256').update(id).digest('hex').slice(0, 17)}`,
    );

/**
 * Writes a spec as a template of CloudFormation into a folder of its own, and returns the template's path. All of it is done in
 * this process, because starting the program once for each of thirty specs takes longer than their templates do.
 */
export async function writeTemplate(spec: string, folder: string): Promise<string> {
  await mkdir(folder);
  const file = join(folder, 'spec.yaml');
  await writeFile(file, spec);
  const state = `file://${folder}/state`;
  const context: ActionContext = { state, env: {}, signal: new AbortController().signal, onEvent: () => undefined };
  await createObjects(context, [file]);
  const cluster = clusterIn(spec);
  await makeUpHashes(await openStore(state, {}), cluster);
  const how = { target: 'cloudformation', yes: false, offline: true, scope: { prune: false } } as const;
  await updateCluster(context, { ...how, cluster, out: folder });
  return join(folder, 'kubernetes.json');
}
