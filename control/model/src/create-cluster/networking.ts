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
  /** An etcd cluster of its own. */
  readonly etcd?: 'cilium';
  /** The only cloud that has it. */
  readonly onlyOn?: string;
}

const MODES: Readonly<Record<string, Mode>> = {
  'amazon-vpc-routed-eni': { networking: { amazonvpc: {} }, onlyOn: 'aws' },
  amazonvpc: { networking: { amazonvpc: {} }, onlyOn: 'aws' },
  calico: { networking: { calico: {} } },
  canal: { networking: { canal: {} } },
  cilium: { networking: { cilium: CILIUM }, replacesKubeProxy: true },
  'cilium-eni': { networking: { cilium: { ...CILIUM, ipam: 'eni' } }, replacesKubeProxy: true, onlyOn: 'aws' },
  'cilium-etcd': { networking: { cilium: { ...CILIUM, etcdManaged: true } }, replacesKubeProxy: true, etcd: 'cilium' },
  cni: { networking: { cni: {} } },
  external: { networking: { external: {} } },
  flannel: { networking: { flannel: { backend: 'vxlan' } } },
  'flannel-udp': { networking: { flannel: { backend: 'udp' } } },
  'flannel-vxlan': { networking: { flannel: { backend: 'vxlan' } } },
  gce: { networking: { gce: {} }, onlyOn: 'gce' },
  gcp: { networking: { gce: {} }, onlyOn: 'gce' },
  'gcp-with-cilium': { networking: { gce: { cilium: CILIUM } }, replacesKubeProxy: true, onlyOn: 'gce' },
  kindnet: { networking: { kindnet: {} } },
  kopeio: { networking: { kopeio: {} } },
  'kopeio-vxlan': { networking: { kopeio: {} } },
  'kube-router': { networking: { kuberouter: {} }, replacesKubeProxy: true },
  kubenet: { networking: { kubenet: {} } },
};

/** Local machines reach no registry of images. */
const LOCAL = ['cni', 'external', 'kubenet'];

/** The pod network of --networking. */
export function networkingOf(flags: Pick<CreateClusterFlags, 'networking'>, cloud: string): Mode {
  const wanted = nonEmpty(flags.networking) ?? DEFAULT;
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
