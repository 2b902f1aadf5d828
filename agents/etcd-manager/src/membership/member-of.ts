import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';

/** The machine's member name, e.g. `a`, of a listed member. It is read from the peer URL, which etcd knows before the name. */
export function memberOf(config: Pick<EtcdClusterConfig, 'memberHost'>, listed: { readonly peerUrl: string }): string {
  const [before = '', after = ''] = config.memberHost.split('<member>');
  const { hostname } = new URL(listed.peerUrl);
  return hostname.slice(before.length, after === '' ? undefined : -after.length);
}
