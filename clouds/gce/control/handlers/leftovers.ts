import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { CLUSTER_LABEL, clusterLabel, isOfCluster } from '../../node/labels.ts';
import { namedNetwork } from '../named-network.ts';
import { networkName, roleTag } from '../names.ts';
import { type Claimant, claimLeftovers, type Leftovers, type Listed } from './claim-leftovers.ts';
import { list, nameIn, pathIn, remove, resourcePath } from './compute-calls.ts';
import type { GceCloud, GceEnv } from './gce-cloud.ts';
import { doing } from './google-error.ts';
import { networkProject, ownNetwork } from './own-names.ts';

/** The kinds and their resources, in the order in which they need each other: they are deleted from the end. */
const KINDS: readonly (readonly [kind: `gce/${string}`, noun: string, part: keyof Leftovers])[] = [
  ['gce/PodRoute', 'route to the pods of a node', 'routes'],
  ['gce/ServiceFirewall', 'firewall rule of a Service', 'firewalls'],
  ['gce/ServiceAddress', 'address of a Service', 'addresses'],
  ['gce/ServiceInstanceGroup', 'instance group of Services', 'instanceGroups'],
  ['gce/ServiceHealthCheck', 'health check of a Service', 'healthChecks'],
  ['gce/ServiceBackend', 'backend of a Service', 'backends'],
  ['gce/ServiceForwardingRule', 'forwarding rule of a Service', 'forwardingRules'],
];

/** Resources that the cluster itself has made and no task describes: they are only deleted, together with the whole cluster. */
export const leftoverHandlers: readonly Handler<GceEnv>[] = KINDS.map(([kind, noun, part]) => {
  const refuse = () => {
    throw new Error(`a ${noun} is not made by a task`);
  };
  return {
    kind,
    parse: refuse,
    find: refuse,
    plan: refuse,
    apply: refuse,
    async listOwned({ gce }, signal) {
      if (!gce.everything) return [];
      const found = (await leftoversOf(gce, signal))[part];
      return found.map(({ name, path }) => {
        // Groups of several zones have the same name.
        const zone = /\/zones\/([^/]+)\//.exec(path)?.[1];
        const whole = zone === undefined ? name : `${zone}/${name}`;
        return { name: whole, description: `${noun}, ${whole}`, handle: path };
      });
    },
    remove: ({ description, handle }, { gce }, signal) =>
      doing(`delete the ${description}`, async () => {
        if (typeof handle !== 'string') throw new Error(`${description} has no handle`);
        await remove(gce, handle, signal);
      }),
  };
});

/** What one run has found. All kinds are claimed together, since resources of one kind show whose those of another are. */
const known = new WeakMap<GceCloud, Promise<Leftovers>>();

function leftoversOf(gce: GceCloud, signal: AbortSignal): Promise<Leftovers> {
  const before = known.get(gce);
  if (before !== undefined) return before;
  const found = doing('list what the cluster has made for Services and pods', () => find(gce, signal));
  known.set(gce, found);
  found.catch(() => known.delete(gce));
  return found;
}

async function find(gce: GceCloud, signal: AbortSignal): Promise<Leftovers> {
  const [region, host] = [`regions/${gce.region}`, networkProject(gce)] as const;
  const listed = async (
    place: Parameters<typeof list>[1]['place'],
    collection: string,
    fields: string,
    project = gce.project,
  ): Promise<readonly Listed[]> => {
    const query = { project, place, collection, fields: `name,selfLink,${fields}` };
    return (await list(gce, query, signal)).map(listedOf);
  };
  const [routes, firewalls, addresses, groups, checks, httpChecks, pools, services, rules, machines] =
    await Promise.all([
      listed('global', 'routes', 'description,network,nextHopInstance,warnings(code)', host),
      listed('global', 'firewalls', 'network,targetTags', host),
      listed(region, 'addresses', 'addressType'),
      listed('aggregated', 'instanceGroups', 'network'),
      listed('global', 'healthChecks', 'type'),
      listed('global', 'httpHealthChecks', 'port'),
      listed(region, 'targetPools', 'instances,healthChecks'),
      listed(region, 'backendServices', 'network,backends(group),healthChecks'),
      listed(region, 'forwardingRules', 'network,target,backendService'),
      machinesOf(gce, signal),
    ]);
  const all: Leftovers = {
    routes,
    firewalls,
    addresses,
    instanceGroups: groups,
    healthChecks: [...checks, ...httpChecks],
    backends: [...pools, ...services],
    forwardingRules: rules,
  };
  return claimLeftovers(all, claimantOf(gce, machines));
}

async function machinesOf(gce: GceCloud, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const filter = `labels.${CLUSTER_LABEL} = "${clusterLabel(gce.clusterName)}"`;
  const fields = 'name,selfLink,labels';
  const query = { project: gce.project, place: 'aggregated', collection: 'instances', fields, filter } as const;
  const found = await list(gce, query, signal);
  return new Set(
    found
      .filter((answer) => isOfCluster(gce.clusterName, answer.textsByName('labels')))
      .map((answer) => pathIn(answer.text('selfLink'))),
  );
}

function claimantOf(gce: GceCloud, machines: ReadonlySet<string>): Claimant {
  const { cluster, clusterName, project } = gce;
  const own = ownNetwork(gce);
  const shared = namedNetwork(cluster.spec.networkID ?? networkName(clusterName), project);
  return {
    label: clusterLabel(clusterName),
    nodeTag: roleTag('node', clusterName),
    network: own ?? resourcePath(shared.project, 'global', 'networks', shared.name),
    ownsNetwork: own !== undefined,
    machines,
  };
}

function listedOf(answer: AnswerFields): Listed {
  const path = pathIn(answer.text('selfLink'));
  const [network, description] = [answer.text('network', ''), answer.text('description', '')];
  const one = ['target', 'backendService', 'nextHopInstance'].map((field) => answer.text(field, ''));
  const several = ['instances', 'healthChecks'].flatMap((field) => answer.texts(field));
  const groups = answer.list('backends').map((backend) => backend.text('group'));
  return {
    path,
    name: nameIn(path),
    ...(network !== '' && { network: pathIn(network) }),
    ...(description !== '' && { description }),
    uses: [...one, ...several, ...groups].filter((url) => url !== '').map(pathIn),
    tags: answer.texts('targetTags'),
    isDangling: answer.list('warnings').some((warning) => warning.text('code', '') === 'NEXT_HOP_INSTANCE_NOT_FOUND'),
  };
}
