import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';

/** The machine's member name in a listed one: its peer URL is made from it, and is there before etcd has a name. */
export function memberOf(config: Pick<EtcdClusterConfig, 'memberHost'>, listed: { readonly peerUrl: string }): string {
  const [before = '', after = ''] = config.memberHost.split('<member>');
  const { hostname } = new URL(listed.peerUrl);
  return hostname.slice(before.length, after === '' ? undefined : -after.length);
}
