import { createHash } from 'node:crypto';
import { API_LOAD_BALANCER, AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import { KNOWN_AFTER_APPLY } from '@kopsctl/tasks/task.ts';
import { bootDisk } from '../boot-disk.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';

type Props = PropsOf<'gce/InstanceTemplate'>;

/** The properties of machines (https://cloud.google.com/compute/docs/reference/rest/v1/instanceTemplates). */
export function propertiesOf(props: Props) {
  const { iops, throughput, sizeGb, type } = props.rootDisk;
  return {
    machineType: props.machineType,
    canIpForward: props.canIpForward,
    disks: [
      {
        boot: true,
        autoDelete: true,
        ...bootDisk,
        initializeParams: {
          sourceImage: props.image,
          diskSizeGb: String(sizeGb),
          diskType: type,
          ...(iops !== undefined && { provisionedIops: String(iops) }),
          ...(throughput !== undefined && { provisionedThroughput: String(throughput) }),
        },
      },
    ],
    networkInterfaces: [
      {
        network: props.network,
        subnetwork: props.subnetwork,
        stackType: props.stack,
        ...(props.publicIp && { accessConfigs: [{ type: 'ONE_TO_ONE_NAT', networkTier: 'PREMIUM' }] }),
        ...(props.stack === 'IPV4_IPV6' && {
          ipv6AccessConfigs: [{ type: 'DIRECT_IPV6', networkTier: 'PREMIUM' }],
        }),
        ...(props.podRange && {
          aliasIpRanges: [{ subnetworkRangeName: props.podRange.name, ipCidrRange: `/${props.podRange.prefixLength}` }],
        }),
      },
    ],
    scheduling: {
      automaticRestart: !props.spot,
      onHostMaintenance: props.movable ? 'MIGRATE' : 'TERMINATE',
      preemptible: props.spot,
      provisioningModel: props.spot ? 'SPOT' : 'STANDARD',
    },
    ...(props.accelerators.length > 0 && {
      guestAccelerators: props.accelerators.map(({ type: acceleratorType, count }) => ({
        acceleratorType,
        acceleratorCount: count,
      })),
    }),
    serviceAccounts: [{ email: props.account, scopes: props.scopes }],
    tags: { items: props.tags },
    labels: props.labels,
    metadata: { items: metadataOf(props) },
  };
}

function metadataOf({ metadata, boot, apiLoadBalancer, authorityCa }: Props) {
  const items = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  if (boot === undefined) return items;
  if (authorityCa === undefined && boot.text.includes(AUTHORITY_CA)) {
    throw new Error('the CA of node authorities was not read from the state store');
  }
  const value = boot.text
    .replaceAll(AUTHORITY_CA, authorityCa ?? '')
    .replaceAll(API_LOAD_BALANCER, apiLoadBalancer ?? '');
  return [...items, { key: boot.key, value }];
}

/** Long enough for the templates of one group, and short enough for the names of Google. */
const HASH_CHARACTERS = 16;

/** The name of the template with a given content; undefined in a plan while the content has parts that do not exist yet. */
export function templateName(props: Props): string | undefined {
  const content = JSON.stringify(propertiesOf(props));
  if (content.includes(KNOWN_AFTER_APPLY)) return undefined;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  return `${props.namePrefix}${hash}`;
}
