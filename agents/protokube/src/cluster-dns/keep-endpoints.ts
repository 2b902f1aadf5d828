import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Latest } from '../latest.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';

/** In case somebody has deleted them. */
const LOOK_AGAIN_MS = 60_000;

export interface EndpointsEnv {
  readonly kube: KubeClient;
  readonly machines: Latest<CloudMachine>;
  readonly leadership: Leadership;
  readonly log: Log;
}

/** The Endpoints of the Service kube-dns: every running control plane answers for the cluster's names. */
function dnsEndpoints(machines: readonly CloudMachine[], port: number) {
  const addresses = machines
    .filter(({ role, running }) => role === 'ControlPlane' && running)
    .map(({ address }) => ({ ip: address }))
    .sort((a, b) => (a.ip < b.ip ? -1 : 1));
  const ports = [
    { name: 'dns', port, protocol: 'UDP' },
    { name: 'dns-tcp', port, protocol: 'TCP' },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'kube-dns', namespace: 'kube-system' },
    subsets: addresses.length === 0 ? [] : [{ addresses, ports }],
  };
}

/** Keeps these Endpoints up to date while this machine leads. The Service has no selector: its servers are not pods. */
export async function keepDnsEndpoints(
  { port }: NonNullable<ProtokubeConfig['clusterDns']>,
  { kube, machines, leadership, log }: EndpointsEnv,
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  machines.ringOnChange(wake);
  leadership.ringOnChange(wake);
  let written: unknown;
  while (!signal.aborted) {
    const known = machines.items;
    if (known !== undefined) {
      await leadership.whileLeading(signal, async (term) => {
        const wanted = dnsEndpoints(known, port);
        await kube.apply('/api/v1/namespaces/kube-system/endpoints/kube-dns', wanted, term);
        if (!isDeepStrictEqual(written, wanted)) {
          const addresses = wanted.subsets.flatMap((one) => one.addresses.map(({ ip }) => ip));
          log.info('endpoints of kube-dns written', { addresses });
        }
        written = wanted;
      });
    }
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}
