import { Option } from 'commander';
import { OWN_FLAGS } from '@kopsctl/clouds/create-cluster-flags.ts';
import type { OwnFlag } from '@kopsctl/model/create-cluster/own-flags.ts';
import type { CreateOptions } from '../commands/create-cluster.ts';
import {
  assetsOption,
  countOption,
  formerly,
  group,
  listOption,
  repeatedOption,
  switchOptions,
  type Declare,
} from './declaring.ts';

const word = (flags: string, description: string) => new Option(flags, description);

/** A flag that only one cloud has. */
function ownOptions({ flags, help }: OwnFlag): readonly Option[] {
  if (!flags.includes(' ')) return switchOptions(flags.replace('--', ''), help ?? '');
  return [help === undefined ? word(flags, '').hideHelp() : word(flags, help)];
}

/** kops's flags of `create cluster`; spellings that kops has given up are hidden. */
const FLAGS: readonly Option[] = [
  word('--cloud <cloud>', 'as spec.cloudProvider names it, e.g. aws or gce; local is this computer'),
  listOption('--zones <zones>', 'zones to run the cluster in'),
  ...formerly(listOption('--control-plane-zones <zones>', 'zones of the control planes'), 'master-zones'),
  word('--kubernetes-version <version>', 'e.g. 1.36.3; the channel recommends one'),
  listOption('--kubernetes-feature-gates <gates>', 'Gate or +Gate to enable, -Gate to disable'),
  word('--channel <channel>', 'the channel that defaults come from (default: stable)'),

  ...formerly(countOption('--control-plane-count <n>', 'control-plane machines, an odd number'), 'master-count'),
  ...formerly(listOption('--control-plane-size <types>', 'machine type of control planes'), 'master-size'),
  ...formerly(word('--control-plane-image <image>', 'image of control planes'), 'master-image'),
  ...formerly(countOption('--control-plane-volume-size <gib>', 'root volume of control planes'), 'master-volume-size'),
  word('--control-plane-volume-type <type>', 'type of that volume'),
  ...formerly(
    listOption('--control-plane-security-groups <ids>', 'further security groups of control planes'),
    'master-security-groups',
  ),
  ...formerly(word('--control-plane-tenancy <tenancy>', 'default or dedicated'), 'master-tenancy'),
  countOption('--node-count <n>', 'worker machines, over all zones'),
  listOption('--node-size <types>', 'machine type of workers'),
  word('--node-image <image>', 'image of workers'),
  countOption('--node-volume-size <gib>', 'root volume of workers'),
  word('--node-volume-type <type>', 'type of that volume'),
  listOption('--node-security-groups <ids>', 'further security groups of workers'),
  word('--node-tenancy <tenancy>', 'default or dedicated'),
  countOption('--api-server-count <n>', 'machines that run nothing but an API server'),
  listOption('--api-server-size <types>', 'machine type of those machines'),
  word('--image <image>', 'image of all machines'),
  word('--bastion-image <image>', 'image of bastions'),
  ...switchOptions('associate-public-ip', 'give machines public addresses'),
  word('--instance-manager <manager>', 'cloudgroups or karpenter (default: cloudgroups)'),
  word('--cloud-labels <pairs>', 'labels of all machines and volumes: Owner=John Doe,Team=Some Team'),

  ...formerly(word('--network-id <id>', 'an existing network to use'), 'vpc'),
  listOption('--network-cidr <cidrs>', 'range of the network, then further ranges'),
  listOption('--subnets <ids>', 'existing subnets to use'),
  listOption('--utility-subnets <ids>', 'existing subnets for what faces the internet'),
  ...switchOptions('disable-subnet-tags', 'leave existing subnets untagged'),
  word('--egress <way>', 'how private subnets reach the internet, e.g. nat-…'),
  ...switchOptions('ipv6', 'pods and services over IPv6 (AWS)'),
  word('--networking <name>', 'pod network: cilium, calico, kubenet, cni … (default: cilium)'),
  word('-t, --topology <topology>', 'public or private (default: public; private with --ipv6)'),
  ...switchOptions('bastion', 'a machine through which private subnets are reached'),
  word('--dns <type>', 'public, private or none (default: none)'),
  word('--dns-zone <zone>', 'the hosted zone'),

  listOption('--admin-access <cidrs>', 'addresses that may reach the API (default: all)'),
  listOption('--ssh-access <cidrs>', 'addresses that may reach SSH (default: as --admin-access)'),
  word('--ssh-public-key <file>', 'public key that may log in to the machines'),
  word('--authorization <mode>', 'RBAC or AlwaysAllow (default: RBAC)'),
  word('--api-loadbalancer-type <type>', 'public or internal'),
  ...formerly(word('--api-public-name <name>', 'DNS name of the API'), 'master-public-name'),
  word('--discovery-store <url>', 'where the issuer of service accounts publishes its keys'),

  listOption('--etcd-clusters <names>', 'main, events'),
  word('--etcd-storage-type <type>', 'type of etcd volumes'),
  ...switchOptions('encrypt-etcd-storage', 'encrypt etcd volumes (default on AWS)'),

  ...Object.values(OWN_FLAGS).flatMap(ownOptions),
  // Machine roles that kops tries out; its own create cluster makes no groups for them either.
  ...['etcd', 'scheduler', 'kcm'].flatMap((role) => [
    countOption(`--${role}-count <n>`, '').hideHelp(),
    listOption(`--${role}-size <types>`, '').hideHelp(),
  ]),
  word('--container-runtime <runtime>', 'containerd').hideHelp(),

  ...formerly(repeatedOption('--set <path=value>', 'set a field of the Cluster, e.g. spec.channel=alpha'), 'override'),
  listOption('--unset <paths>', 'remove fields of the Cluster'),
];

/** `create cluster`. */
export const declareCreateCluster: Declare = ({ program, env, run }) => {
  const command = group(program, 'create', 'create objects')
    .command('cluster [cluster]')
    .description('infer a cluster from flags, store it, and show what making it takes; with --yes, make it')
    .option('-y, --yes', 'make it; otherwise it is stored and shown')
    .option('--dry-run', 'print the objects, store nothing')
    .addOption(new Option('-o, --output <format>', 'how --dry-run prints').choices(['yaml', 'json']).default('yaml'))
    .addOption(
      new Option('--target <target>', 'what --yes makes').choices(['direct', 'terraform', 'cloudformation', 'dryrun']),
    )
    .option('--out <dir>', 'where the files of a target go')
    .option(
      '--offline',
      'ask no cloud; what only the cloud can tell is left out; not with --yes, except with another tool',
    )
    .addOption(assetsOption());
  for (const option of FLAGS) command.addOption(option);
  command.action(
    run(async (global, name: string | undefined, options: CreateOptions) => {
      const { create } = await import('../commands/create-cluster.ts');
      return create(global, name, options, env);
    }),
  );
};
