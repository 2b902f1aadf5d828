import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import type { CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { refusal, unknownWord } from './refusal.ts';

/** What kops uses when nobody says (new_cluster.go InitDefaults). */
const DEFAULT = 'cilium';

const CILIUM = { enableNodePort: true } as const;

export interface Mode {
  readonly networking: NetworkingSpec;
  /** The network does kube-proxy's work. */
  readonly replacesKubeProxy?: true;
  /** The only cloud that has it. */
  readonly onlyOn?: string;
  readonly hasIpv6?: true;
}

const MODES: Readonly<Record<string, Mode>> = {
  'amazon-vpc-routed-eni': { networking: { amazonvpc: {} }, onlyOn: 'aws' },
  amazonvpc: { networking: { amazonvpc: {} }, onlyOn: 'aws' },
  calico: { networking: { calico: {} }, hasIpv6: true },
  cilium: { networking: { cilium: CILIUM }, replacesKubeProxy: true, hasIpv6: true },
  'cilium-eni': { networking: { cilium: { ...CILIUM, ipam: 'eni' } }, replacesKubeProxy: true, onlyOn: 'aws' },
  cni: { networking: { cni: {} }, hasIpv6: true },
  external: { networking: { external: {} }, hasIpv6: true },
  flannel: { networking: { flannel: { backend: 'vxlan' } } },
  'flannel-udp': { networking: { flannel: { backend: 'udp' } } },
  'flannel-vxlan': { networking: { flannel: { backend: 'vxlan' } } },
  gce: { networking: { gce: {} }, onlyOn: 'gce' },
  gcp: { networking: { gce: {} }, onlyOn: 'gce' },
  kindnet: { networking: { kindnet: {} } },
  kubenet: { networking: { kubenet: {} } },
};

/** Words of kops for networks that this suite does not install, and what comes closest. */
const NOT_MADE: Readonly<Record<string, string>> = {
  canal: 'calico',
  'cilium-etcd': 'cilium, which keeps its identities in the API',
  'gcp-with-cilium': 'cilium',
  kopeio: 'flannel',
  'kopeio-vxlan': 'flannel',
  'kube-router': 'calico or cilium',
};

/** Local machines reach no registry of images. */
const LOCAL = ['cni', 'external', 'kubenet'];

/** The pod network of --networking. */
export function networkingOf(flags: Pick<CreateClusterFlags, 'networking' | 'ipv6'>, cloud: string): Mode {
  const wanted = nonEmpty(flags.networking) ?? DEFAULT;
  if (Object.hasOwn(NOT_MADE, wanted)) {
    throw refusal(`--networking is '${wanted}', which is not installed by this suite`, `choose ${NOT_MADE[wanted]}`);
  }
  const mode = Object.hasOwn(MODES, wanted) ? MODES[wanted] : undefined;
  if (mode === undefined) throw unknownWord('--networking', wanted, Object.keys(MODES));
  if (mode.onlyOn !== undefined && mode.onlyOn !== cloud) {
    throw refusal(`--networking is '${wanted}', which exists on ${mode.onlyOn} only`, `choose cilium for ${cloud}`);
  }
  if (cloud === 'local' && !LOCAL.includes(wanted)) {
    throw refusal(
      `--networking is '${wanted}', which local machines cannot run`,
      'choose kubenet, or cni and bring your own',
    );
  }
  if (flags.ipv6 === true && mode.hasIpv6 === undefined) {
    throw refusal(`--networking is '${wanted}', which has no IPv6 here`, 'choose calico or cilium');
  }
  return mode;
}

/** kube-proxy's settings: feature gates, and off where the network does its work. */
export function kubeProxyOf(mode: Mode, featureGates: Gates | undefined): Pick<ClusterSpec, 'kubeProxy'> {
  if (mode.replacesKubeProxy === undefined && featureGates === undefined) return {};
  return {
    kubeProxy: {
      ...(mode.replacesKubeProxy === undefined ? {} : { enabled: false }),
      ...(featureGates === undefined ? {} : { featureGates }),
    },
  };
}

export type Gates = Readonly<Record<string, string>>;

/** `Gate`, `+Gate` and `-Gate` as the components take them; undefined where there are none. */
export function featureGatesOf(words: readonly string[] | undefined): Gates | undefined {
  const gates = (words ?? []).map((word): [string, string] => {
    const [, sign, name = ''] = /^(\+?-?)(.*)$/.exec(word) ?? [];
    if (name === '') throw refusal(`the feature gate '${word}' has no name`, 'write Gate, +Gate or -Gate');
    return [name, String(sign === '' || sign === '+')];
  });
  return gates.length === 0 ? undefined : Object.fromEntries(gates);
}
