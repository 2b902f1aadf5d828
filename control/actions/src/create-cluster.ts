import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import type { CreatedCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import type { Channel } from '@kopsctl/model/upgrade/channel.ts';
import { leftOpen, newCluster, sharedNetworkOf, withFlagsOfHost } from './spec/new-cluster.ts';
import { refuseTooNewVersion } from './spec/refuse-too-new-version.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import type { KeptCluster, Keeping } from './phases/keep-new-cluster.ts';
import type { SshPublicKey } from './keys/ssh-public-key.ts';

export interface CreateClusterRequest extends Keeping {
  readonly flags: CreateClusterFlags;
  readonly sshPublicKeyFile?: string | undefined;
  /** Only the objects are shown. */
  readonly dryRun: boolean;
}

export type ClusterCreation = { readonly kind: 'shown'; readonly objects: readonly object[] } | KeptCluster;

/**
 * Infers a cluster from flags, and stores it once nothing stands in the way of making it. What making it takes is
 * shown, written down for another tool, or done.
 */
export async function createCluster(context: ActionContext, request: CreateClusterRequest): Promise<ClusterCreation> {
  refuseUnsaidCloud(request);
  refuseMakingOffline(request);
  const created = await inPhase(context, 'infer the cluster from the flags', () => infer(context, request));
  refuseTooNewVersion(created.cluster, context.env);
  for (const sentence of leftOpen(created)) note(context, `Note: ${sentence}`);
  const sshKey = await sshKeyOf(request.sshPublicKeyFile, context.env);
  if (request.dryRun) return { kind: 'shown', objects: objectsOf(created, sshKey) };
  // Loaded here because a dry run, which needs none of it, is to be quick.
  const { keepNewCluster } = await import('./phases/keep-new-cluster.ts');
  return keepNewCluster(context, { created, sshKey }, request);
}

/** Without a word about its cloud, a cluster would be one on this computer, which is seldom meant. */
function refuseUnsaidCloud({ dryRun, flags: { name, cloud, zones = [] } }: CreateClusterRequest): void {
  if (dryRun || zones.length > 0 || (cloud !== undefined && cloud !== '')) return;
  throw new ActionableError({
    what: `create the cluster ${name}`,
    why: 'no cloud is named',
    next: 'name its cloud and zones, e.g. --cloud aws --zones eu-west-1a, or make it on this computer with --cloud local',
    isUsage: true,
  });
}

/** A cluster that another tool makes later can be written down without its cloud; one that is made here cannot. */
function refuseMakingOffline({ dryRun, yes, offline, target = 'direct', flags: { name } }: CreateClusterRequest): void {
  if (dryRun || !yes || !offline || target !== 'direct') return;
  throw new ActionableError({
    what: `create the cluster ${name}`,
    why: '--yes makes it in its cloud, and --offline forbids asking the cloud',
    next: 'leave out --offline; or leave out --yes, which stores the cluster and makes nothing',
    isUsage: true,
  });
}

async function infer(
  { env, state, signal }: ActionContext,
  { flags, offline }: CreateClusterRequest,
): Promise<CreatedCluster> {
  const completed = await withFlagsOfHost(flags, state, env);
  const channel = await channelOf(completed, offline, signal);
  const sharedNetwork = offline ? undefined : await sharedNetworkOf(completed, state);
  return newCluster(completed, given({ stateStoreUrl: state, sharedNetwork, channel }));
}

/** The channel that the flags name; undefined for the one that is part of this program. */
async function channelOf(
  { name, channel: location = '' }: CreateClusterFlags,
  offline: boolean,
  signal: AbortSignal,
): Promise<Channel | undefined> {
  if (location === '' || location === 'stable') return undefined;
  const { isFarChannel, readVersionChannel } = await import('./upgrade/read-version-channel.ts');
  if (!offline || !isFarChannel(location)) return readVersionChannel(location, signal);
  throw new ActionableError({
    what: `create the cluster ${name}`,
    why: `the channel ${location} is read from the web, and --offline forbids that`,
    next: 'leave out --offline, or name the file of the channel with --channel',
    isUsage: true,
  });
}

async function sshKeyOf(file: string | undefined, env: NodeJS.ProcessEnv): Promise<SshPublicKey | undefined> {
  if (file === undefined) return undefined;
  const { readSshPublicKey } = await import('./keys/ssh-public-key.ts');
  return readSshPublicKey(file, env);
}

function objectsOf({ cluster, instanceGroups }: InferredCluster, sshKey: SshPublicKey | undefined): readonly object[] {
  const credential = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'SSHCredential',
    metadata: { name: 'admin', labels: { 'kops.k8s.io/cluster': cluster.metadata.name } },
    spec: { publicKey: sshKey?.text.trim() },
  };
  return [cluster, ...instanceGroups, ...(sshKey === undefined ? [] : [credential])];
}
