import { Gauge, Registry } from 'prom-client';
import type { AgentMetrics } from '@kopsctl/agent/serve-metrics.ts';
import type { StateBoard } from '../state/state-board.ts';

/** Next to etcd-manager's ports, and one that kops reserves for its own etcd-manager and ours does not use. */
export const METRICS_PORT = 3995;

/** The board's state as metrics. Names follow prometheus.io/docs/practices/naming. */
export function machineMetrics(board: StateBoard): AgentMetrics {
  const registry = new Registry();
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({ name: `protokube_${name}`, help, labelNames, registers: [registry] });
  const isLeader = gauge('is_leader', '1 while this machine is the leader, which applies addons');
  const names = gauge('names', 'Number of names in /etc/hosts');
  const members = gauge('gossip_members', 'Number of gossip members, including this machine');
  const mounted = gauge('volume_mounted', '1 while the volume of an etcd cluster is mounted', ['cluster']);
  const failing = gauge('failing', '1 for each part that is failing', ['part']);
  const addons = gauge('addon_applied', "1 for each addon that matches its manifest, as of the leader's last round", [
    'addon',
  ]);
  return {
    async text() {
      const { state } = board;
      isLeader.set(state.isLeader ? 1 : 0);
      names.set(state.discovery.names);
      members.set(state.discovery.members ?? 0);
      for (const each of [mounted, failing, addons]) each.reset();
      for (const [cluster, { isMounted }] of Object.entries(state.volumes)) mounted.set({ cluster }, isMounted ? 1 : 0);
      for (const part of Object.keys(state.failures)) failing.set({ part }, 1);
      for (const [addon, isApplied] of board.addons) addons.set({ addon }, isApplied ? 1 : 0);
      return registry.metrics();
    },
    faults() {
      const { volumes, failures } = board.state;
      return [
        ...Object.values(volumes).flatMap(({ isMounted, summary }) => (isMounted ? [] : [summary])),
        ...Object.entries(failures).map(([part, failure]) => `${part}: ${failure}`),
        ...[...board.addons].flatMap(([addon, isApplied]) => (isApplied ? [] : [`addon ${addon} is not applied`])),
      ];
    },
  };
}
