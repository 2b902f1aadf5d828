import type { EtcdManagerSpec } from '../schema/etcd.ts';
import { fault, type Fault } from './fault.ts';

/**
 * Settings of etcd that etcd-manager decides: who the members are, where they listen and keep their data, whom they trust, and
 * that they answer etcd-manager. With another value the manager would look at an etcd that is not there, or a member would
 * begin a cluster of its own, at each restart again. The names are those of etcd's flags (server/embed/config.go).
 */
const DECIDED: readonly string[] = [
  'ETCD_NAME',
  'ETCD_DATA_DIR',
  'ETCD_WAL_DIR',
  'ETCD_CONFIG_FILE',
  'ETCD_FORCE_NEW_CLUSTER',
  'ETCD_STRICT_RECONFIG_CHECK',
  'ETCD_ENABLE_GRPC_GATEWAY',
  'ETCD_PROXY',
  ...['URLS', 'HTTP_URLS'].map((urls) => `ETCD_LISTEN_CLIENT_${urls}`),
  'ETCD_LISTEN_PEER_URLS',
  'ETCD_ADVERTISE_CLIENT_URLS',
  ...['ADVERTISE_PEER_URLS', 'CLUSTER', 'CLUSTER_STATE', 'CLUSTER_TOKEN'].map((of) => `ETCD_INITIAL_${of}`),
  ...['', 'PEER_'].flatMap((whose) => [
    ...['TRUSTED_CA_FILE', 'CERT_FILE', 'KEY_FILE', 'AUTO_TLS'].map((of) => `ETCD_${whose}${of}`),
    ...['CLIENT_CERT_FILE', 'CLIENT_KEY_FILE', 'CLIENT_CERT_AUTH'].map((of) => `ETCD_${whose}${of}`),
  ]),
];

/** The variables by which a member would find its cluster by other means than etcd-manager's. */
const DISCOVERY = 'ETCD_DISCOVERY';

/** Refuses variables of an etcd cluster that take from etcd-manager what it decides. @param path of the manager */
export function* validateEtcdVariables({ env = [] }: EtcdManagerSpec, path: string): Iterable<Fault> {
  for (const [index, { name = '' }] of env.entries()) {
    if (!DECIDED.includes(name) && !name.startsWith(DISCOVERY)) continue;
    yield fault(`${path}.env[${index}].name`, `etcd-manager decides ${name} itself`, 'remove this variable');
  }
}
