import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import { printed } from './print-objects.ts';
import { writeDocument, writeOut } from './terminal.ts';
import type { OutputOptions } from '../flags/output-options.ts';

export interface StoredPrinting extends OutputOptions {
  readonly apiVersion: ApiVersion;
}

/** Prints stored objects in the form that was asked for, and returns the exit code. */
export async function print(
  context: ActionContext,
  objects: readonly (Cluster | InstanceGroup)[],
  {
    output,
    apiVersion,
    single = false,
    additional = [],
  }: StoredPrinting & {
    readonly single?: boolean;
    /** Objects of other APIs, which come last. */
    readonly additional?: readonly object[];
  },
  asTable: () => string,
): Promise<number> {
  if (output === 'table') writeOut(asTable());
  else {
    const shown = [...(await inVersion(context, objects, apiVersion)), ...additional];
    writeDocument(await printed(shown, output, { single }));
  }
  return 0;
}

/** The code of another version is loaded where one is asked for. */
async function inVersion(
  context: ActionContext,
  objects: readonly (Cluster | InstanceGroup)[],
  version: ApiVersion,
): Promise<readonly object[]> {
  if (version === 'v1alpha2') return objects;
  const { inApiVersion } = await import('@kopsctl/actions/spec/in-api-version.ts');
  const shown = objects.map((object) => ({ kind: object.kind, name: object.metadata.name, value: { ...object } }));
  return inApiVersion(context, shown, version);
}
