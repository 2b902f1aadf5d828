import type { Kind } from '../kinds.ts';
import { CLOUD_TEXTS } from '../schema/enums.ts';
import { CLOUDS } from '../versions/moves.ts';

/** `cloudProvider.do`: what DigitalOcean says. */
const OF_CLOUDS = Object.fromEntries(
  Object.entries(CLOUDS).map(([object, cloud]) => [
    `cloudProvider.${object}`,
    CLOUD_TEXTS.find(([name]) => name === cloud)?.[1] ?? '',
  ]),
);

const HOOKS = { 'hooks.enabled': 'False: the unit is stopped, and is not started at boot.' };

/**
 * The texts of fields that only v1alpha3 has, by their path below the spec: objects whose fields are elsewhere in v1alpha2,
 * and fields whose value is the opposite there. All others have the text of their field in v1alpha2.
 */
export const V1ALPHA3_TEXTS: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  Cluster: {
    ...HOOKS,
    'authentication.oidc': 'By tokens of an OpenID Connect provider.',
    cloudProvider: 'The cloud that the machines are in: the one whose object is set.',
    ...OF_CLOUDS,
    configStore: 'Where the state of the cluster is kept.',
    'networking.canal.flanneldIptablesForwardRules': 'False: flannel writes no rules that let forwarded packets pass.',
    'networking.cilium.installIptablesRules': 'False: Cilium installs no iptables rules.',
    'networking.cilium.masquerade': 'False: packets of pods leave the cluster with the addresses of the pods.',
    'networking.gcp.cilium.installIptablesRules': 'False: Cilium installs no iptables rules.',
    'networking.gcp.cilium.masquerade': 'False: packets of pods leave the cluster with the addresses of the pods.',
    'networking.tagSubnets': 'False leaves subnets that exist already without the tags that load balancers look for.',
  },
  InstanceGroup: { ...HOOKS, rootVolume: 'The root volume.' },
};
