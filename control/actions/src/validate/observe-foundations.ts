import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ClusterAccess } from '../access/cluster-access.ts';
import { apiCertificateExpiryMs } from '../access/presented-certificate.ts';
import { wantedEtcds } from '../etcd/wanted-etcds.ts';
import { addonsOfKops, listAddons } from '../follow/list-addons.ts';
import { printable, printableTexts } from '../follow/printable.ts';
import { listKeypairs } from '../keys/list-keys.ts';
import { within } from '../phases/within.ts';
import { readOrigin } from '../store/origin.ts';
import { membersOfKops, unheardMembers } from './members-of-kops.ts';
import { readWantedAddons } from './wanted-addons.ts';
import type { ClusterFindings } from './compare-cluster.ts';
import { addonDrift } from './plan-addon-drift.ts';
import { certificateExpiry } from './plan-certificate-expiry.ts';
import { machineCertificates } from './plan-machine-certificates.ts';
import { etcdFailures, type ObservedEtcd } from './plan-etcd-health.ts';
import { dnsFailures, type ResolvedName, serviceFailures } from './plan-reachability.ts';
import type { ValidationFailure } from './plan-validation.ts';

/** Every part reads a few small objects, or asks a few short questions. */
const PART_TIMEOUT_MS = 15_000;

/** What the cluster stands on, beside machines, Nodes and pods. */
export interface Foundations {
  readonly store: StateStore;
  readonly access: ClusterAccess;
  /** What `compareCluster` has found. */
  readonly found: ClusterFindings;
}

/**
 * Adds what is wrong with etcd, certificates, addons, the API's name and Services. A part that cannot be asked in time is
 * a failure that names it; what an API server that does not answer would have to say is left out.
 */
export async function observeFoundations(
  { store, access, found }: Foundations,
  signal: AbortSignal,
): Promise<ClusterFindings> {
  const cluster = access.completed.cluster.metadata.name;
  const failures: ValidationFailure[] = [];
  const warnings: ValidationFailure[] = [];
  const part = async (kind: ValidationFailure['kind'], what: string, look: (ending: AbortSignal) => Promise<void>) => {
    try {
      await within(PART_TIMEOUT_MS, what, signal, look);
    } catch (error) {
      failures.push({ kind, name: cluster, message: printable(messageOf(error)) });
    }
  };
  // Asks nothing: Nodes were listed already, and hold what machines say.
  const ofMachines = machineCertificates(found.nodes, found.machines, Date.now());
  failures.push(...ofMachines.failures);
  warnings.push(...ofMachines.warnings);
  const answers = !found.failures.some(({ kind }) => kind === 'API');
  const ifItAnswers = async (look: () => Promise<void>): Promise<void> => (answers ? look() : undefined);
  await Promise.all([
    part('Etcd', `read the status of the etcd managers of ${cluster}`, async (ending) => {
      const etcds = await readEtcds({ store, access, found }, answers, ending);
      failures.push(...etcdFailures(etcds, Date.now()));
    }),
    part('Certificate', `read the keysets of ${cluster}`, async (ending) => {
      const found = certificateExpiry(await listKeypairs(store, cluster, ending), [], Date.now());
      failures.push(...found.failures);
      warnings.push(...found.warnings);
    }),
    part('DNS', `resolve the name of the API of ${cluster}`, async () => {
      const resolved = await resolveApi(access);
      if (resolved !== undefined) failures.push(...dnsFailures(resolved, found.machines));
    }),
    ifItAnswers(() =>
      part('Certificate', `read the certificate of ${access.server}`, async (ending) => {
        const presented = [{ of: access.server, expiresMs: await apiCertificateExpiryMs(access, ending) }];
        const expiry = certificateExpiry([], presented, Date.now());
        failures.push(...expiry.failures);
        warnings.push(...expiry.warnings);
      }),
    ),
    ifItAnswers(() =>
      part('Addon', `compare the addons of ${cluster}`, async (ending) => {
        const [wanted, noted, annotations] = await Promise.all([
          readWantedAddons(store, cluster, ending),
          listAddons(access.api, ending),
          access.api.systemAnnotations(ending),
        ]);
        // What protokube noted is newer: it takes over where kops was.
        const byKops = addonsOfKops(annotations).filter(({ name }) => !noted.some((own) => own.name === name));
        failures.push(...addonDrift(wanted, [...noted, ...byKops]));
      }),
    ),
    ifItAnswers(() =>
      part('Service', `look at the Services of ${cluster}`, async (ending) => {
        const [kubernetes, clusterDns] = await Promise.all([
          access.api.readyAddresses({ namespace: 'default', name: 'kubernetes' }, ending),
          access.api.readyAddresses({ namespace: 'kube-system', name: 'kube-dns' }, ending),
        ]);
        failures.push(...serviceFailures({ kubernetes, clusterDns }, found.machines, found.nodes));
      }),
    ),
  ]);
  return { ...found, failures: [...found.failures, ...failures], warnings: [...found.warnings, ...warnings] };
}

async function readEtcds(
  { store, access, found }: Foundations,
  answers: boolean,
  signal: AbortSignal,
): Promise<readonly ObservedEtcd[]> {
  const { cluster } = access.completed;
  const { name } = cluster.metadata;
  const watched = await Promise.all(
    wantedEtcds(cluster).map(async (wanted) => ({
      wanted,
      statuses: printableTexts(await readStatuses(store, `${name}/backups/etcd/${wanted.name}`, signal)),
    })),
  );
  // Every manager of most clusters is heard; then nothing more is asked.
  const isUnheard = watched.some((etcd) => etcd.statuses.length > 0 && unheardMembers(etcd, Date.now()).length > 0);
  const isOfKops = answers && isUnheard && (await readOrigin(store, name, signal)).maker === 'kops';
  const shown = isOfKops ? { ...found, pods: await access.api.systemPods(signal) } : undefined;
  return watched.map((etcd) => ({
    name: etcd.wanted.name,
    members: etcd.wanted.members.map((member) => member.name),
    statuses: etcd.statuses,
    ...(shown && { servedByKops: membersOfKops(etcd, shown, Date.now()) }),
  }));
}

/** What the name by which the API is reached leads to; undefined where it is reached by an address or a load balancer's own name. */
async function resolveApi({ completed, server }: ClusterAccess): Promise<ResolvedName | undefined> {
  const { hostname } = new URL(server);
  const { spec } = completed.cluster;
  if (isIP(hostname) !== 0 || hostname !== spec.masterPublicName) return undefined;
  const isLoadBalanced = spec.api?.loadBalancer !== undefined;
  try {
    // As the system resolves it, /etc/hosts included: that is how the API is called.
    const addresses = (await lookup(hostname, { all: true })).map(({ address }) => address);
    return { name: hostname, addresses, isLoadBalanced };
  } catch (error) {
    return { name: hostname, addresses: [], isLoadBalanced, failure: messageOf(error) };
  }
}
