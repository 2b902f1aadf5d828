import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import type { CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { refusal, unknownWord } from './refusal.ts';

/** kops's default (new_cluster.go InitDefaults). */
const DEFAULT = 'cilium';

export const CILIUM = { enableNodePort: true } as const;

/** A value of --networking. */
export interface Mode {
  readonly networking: NetworkingSpec;
  /** The network replaces kube-proxy. */
  readonly replacesKubeProxy?: true;
  /** The network has an etcd cluster of its own. */
  readonly etcd?: 'cilium';
  /** The network runs if machines reach no registry: without an image, or with one that prepared assets can contain. */
  readonly runsOffline?: true;
}

/** Networks by their names in --networking. */
export type Modes = Readonly<Record<string, Mode>>;

/** The networks of every cloud. */
const MODES: Modes = {
  calico: { networking: { calico: {} } },
  canal: { networking: { canal: {} } },
  cilium: { networking: { cilium: CILIUM }, replacesKubeProxy: true },
  'cilium-etcd': { networking: { cilium: { ...CILIUM, etcdManaged: true } }, replacesKubeProxy: true, etcd: 'cilium' },
  cni: { networking: { cni: {} }, runsOffline: true },
  external: { networking: { external: {} }, runsOffline: true },
  flannel: { networking: { flannel: { backend: 'vxlan' } }, runsOffline: true },
  'flannel-udp': { networking: { flannel: { backend: 'udp' } } },
  'flannel-vxlan': { networking: { flannel: { backend: 'vxlan' } }, runsOffline: true },
  kindnet: { networking: { kindnet: {} } },
  kopeio: { networking: { kopeio: {} } },
  'kopeio-vxlan': { networking: { kopeio: {} } },
  'kube-router': { networking: { kuberouter: {} }, replacesKubeProxy: true },
  kubenet: { networking: { kubenet: {} }, runsOffline: true },
};

/** What --networking may be with every cloud. */
export const NETWORKINGS: readonly string[] = Object.keys(MODES);

/**
 * The pod network of --networking.
 *
 * @param own networks that only this cloud supports
 */
export function networkingOf(
  flags: Pick<CreateClusterFlags, 'networking'>,
  { name, traits }: Pick<SpecCloud, 'name' | 'traits'>,
  own: Modes = {},
): Mode {
  const modes = { ...MODES, ...own };
  const wanted = nonEmpty(flags.networking) ?? DEFAULT;
  const mode = Object.hasOwn(modes, wanted) ? modes[wanted] : undefined;
  if (mode === undefined) throw unknownWord('--networking', wanted, Object.keys(modes).toSorted());
  if (traits.bringsImages && !mode.runsOffline) {
    throw refusal(
      `--networking is '${wanted}', and machines of cloud ${name} have no image of it`,
      'choose kubenet or flannel, or cni and bring your own',
    );
  }
  return mode;
}

/** Settings of kube-proxy: feature gates, and whether it is disabled because the network replaces it. */
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

/** Converts `Gate`, `+Gate` and `-Gate` to settings of components. Undefined if there are none. */
export function featureGatesOf(words: readonly string[] | undefined): Gates | undefined {
  const gates = (words ?? []).map((word): [string, string] => {
    const [, sign, name = ''] = /^(\+?-?)(.*)$/.exec(word) ?? [];
    if (name === '') throw refusal(`the feature gate '${word}' has no name`, 'write Gate, +Gate or -Gate');
    return [name, String(sign === '' || sign === '+')];
  });
  return gates.length === 0 ? undefined : Object.fromEntries(gates);
}
