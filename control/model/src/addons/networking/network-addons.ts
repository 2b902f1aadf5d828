import type { NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts, NetworkAddon } from '../../cluster-facts.ts';
import type { Addon } from '../addon.ts';
import { calicoObjects } from './calico.ts';
import { ciliumObjects } from './cilium.ts';
import { flannelObjects } from './flannel.ts';
import { kindnetObjects } from './kindnet.ts';
import { kubeRouterObjects } from './kube-router.ts';

/** Networks that are addons in every cloud. kubenet is part of the node, and users install cni and external themselves. */
const NETWORKS: Readonly<Partial<Record<keyof NetworkingSpec, NetworkAddon>>> = {
  calico: { name: 'networking.projectcalico.org', id: 'k8s-1.25', objects: calicoObjects },
  cilium: { name: 'networking.cilium.io', id: 'k8s-1.16', objects: ciliumObjects },
  flannel: { name: 'networking.flannel', id: 'k8s-1.25', objects: flannelObjects },
  kindnet: { name: 'networking.kindnet', id: 'k8s-1.32', objects: kindnetObjects },
  kuberouter: { name: 'networking.kuberouter', id: 'k8s-1.12', objects: kubeRouterObjects },
};

/** The pod network of the cluster. All machines have to be replaced after it has changed. */
export function networkAddons(facts: ClusterFacts): readonly Addon[] {
  const { networking = {} } = facts.spec;
  return Object.entries({ ...facts.cloud.addons.networks, ...NETWORKS }).flatMap(([field, network]): readonly Addon[] =>
    Object.hasOwn(networking, field)
      ? [
          {
            name: network.name,
            id: network.id,
            objects: network.objects(facts),
            askedBy: `spec.networking.${field}`,
            labels: { 'role.kubernetes.io/networking': '1' },
            needsRollingUpdate: 'all',
          },
        ]
      : [],
  );
}
