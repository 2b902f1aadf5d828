import { ownerOfCluster } from '@kopsctl/dns/owner-mark.ts';
import type { RecordsPlan, RecordWishes } from '@kopsctl/dns/plan-records.ts';
import { observeAndPlan, reconcileDns } from '@kopsctl/dns/reconcile-dns.ts';
import { route53Zones } from '@kopsctl/dns/route53/route53-zones.ts';
import { wantedRecords } from '@kopsctl/dns/wanted-records.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { Handler } from '@kopsctl/tasks/task.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import type { AwsCloud, AwsEnv } from './aws-cloud.ts';
import { explained } from './aws-error.ts';

type Props = PropsOf<'aws/ReservedNames'>;

/**
 * Names that must exist before machines look them up, because resolvers cache negative answers (kops: precreateDNS). A
 * name that exists keeps its addresses: from the first machine on, the machines write them.
 */
export const reservedNamesHandler: Handler<AwsEnv, Props, RecordsPlan> = {
  kind: 'aws/ReservedNames',
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by awsTask, which holds it to the same contract
  parse: (props) => props as unknown as Props,

  async find(_name, props, { aws }) {
    try {
      return await observeAndPlan(zoneOf(props, aws), wishesOf(props));
    } catch (thrown) {
      throw explained(thrown, `look up the names of ${props.clusterName} in their zone`);
    }
  },

  plan(_name, _props, found) {
    const changes = (found?.zones ?? []).flatMap((zone) => zone.changes);
    if (changes.length === 0) return [];
    return [{ action: 'create', summary: changes.map(({ summary }) => summary).join('; ') }];
  },

  async apply(_step, _name, props, { aws }, signal) {
    try {
      await reconcileDns(zoneOf(props, aws), wishesOf(props), signal);
    } catch (thrown) {
      throw explained(thrown, `create the names of ${props.clusterName}`);
    }
  },

  warnings: (_name, _props, found) =>
    (found?.blocked ?? []).map(({ type, name, why }) => `${type} ${name} is left unchanged: ${why}`),
};

const zoneOf = ({ zone }: Props, { route53 }: AwsCloud): DnsProvider =>
  route53Zones({ client: route53, zones: [zone], isPrivate: false });

function wishesOf({ clusterName, apiPublicName, apiInternalName, ipv6 }: Props): RecordWishes {
  const wanted = wantedRecords({
    clusterName,
    isIpv6Only: ipv6,
    publishes: {
      ...(apiPublicName !== undefined && { apiPublicName }),
      ...(apiInternalName !== undefined && { apiInternalName }),
      kopsController: true,
    },
    apiServers: [],
    controlPlanes: [],
    etcdMembers: [],
    objects: { nodes: [], pods: [], services: [], ingresses: [] },
  });
  return { clusterName, owner: ownerOfCluster(clusterName), wanted, isPartial: true };
}
