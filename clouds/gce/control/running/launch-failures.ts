import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { list } from '../handlers/compute-calls.ts';
import type { GceCloud } from '../handlers/gce-cloud.ts';
import { doing } from '../handlers/google-error.ts';
import type { ManagedGroup } from '../handlers/cluster-groups.ts';
import { wantedSizes } from './machines-and-groups.ts';

/**
 * Why Google does not make the missing machines of groups: the newest error of its managed groups, by instance group.
 *
 * @param machines the existing ones, of any group
 */
export async function launchFailures(
  gce: GceCloud,
  groups: readonly ManagedGroup[],
  machines: readonly { readonly instanceGroup: string }[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const lacking = Object.entries(wantedSizes(groups)).filter(
    ([name, wanted]) => machines.filter(({ instanceGroup }) => instanceGroup === name).length < wanted,
  );
  const told = await Promise.all(
    lacking.map(async ([name]) => {
      const managed = groups.filter(({ instanceGroup }) => instanceGroup === name);
      return [name, await newestError(gce, managed, signal)] as const;
    }),
  );
  return Object.fromEntries(told.flatMap(([name, error]) => (error === undefined ? [] : [[name, error]])));
}

async function newestError(
  gce: GceCloud,
  managed: readonly ManagedGroup[],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const errors = await Promise.all(managed.map((group) => errorsOf(gce, group, signal)));
    return errors.flat().toSorted((a, b) => b.atMs - a.atMs)[0]?.text;
  } catch (thrown) {
    signal.throwIfAborted();
    return `Google does not say why: ${messageOf(thrown)}`;
  }
}

interface ManagedError {
  readonly atMs: number;
  /** The code and the message, e.g. `QUOTA_EXCEEDED: Quota 'CPUS' exceeded. Limit: 24.0 in region us-east1.` */
  readonly text: string;
}

async function errorsOf(
  gce: GceCloud,
  { path, name }: ManagedGroup,
  signal: AbortSignal,
): Promise<readonly ManagedError[]> {
  const [, project = '', zone = ''] = /^projects\/([^/]+)\/zones\/([^/]+)\//.exec(path) ?? [];
  const listing = {
    project,
    place: `zones/${zone}`,
    collection: `instanceGroupManagers/${name}/listErrors`,
    fields: 'error(code,message),timestamp',
  } as const;
  const found = await doing(`ask for the errors of ${name}`, () => list(gce, listing, signal));
  return found.map((item) => {
    const error = item.object('error');
    return { atMs: Date.parse(item.text('timestamp')), text: `${error.text('code')}: ${error.text('message', '')}` };
  });
}
