import { describeEtcds } from '../../testing/describe-etcds.ts';
import { Random } from './random.ts';
import { SimulatedEtcd, type EtcdData } from './simulated-etcd.ts';

describeEtcds('simulated etcds', async () => {
  let nowMs = 0;
  const etcd = new SimulatedEtcd(new Random(1), () => nowMs);
  const disks = new Map<string, { etcd?: EtcdData }>();
  const peerUrl = (machine: string): string => `https://etcd-${machine}:2380`;
  return {
    peerUrl,
    start: async (machine, settings) => {
      const data = disks.get(machine) ?? {};
      disks.set(machine, data);
      etcd.start(machine, { ...settings, peerUrl: peerUrl(machine), data });
    },
    stop: async (machine) => etcd.stop(machine),
    wipe: async (machine) => void disks.delete(machine),
    client: async (machine) => etcd.client(machine),
    write: async () => {
      if (etcd.serving().length === 0) throw new Error('no etcd has a leader');
      etcd.write();
    },
    pass: async (ms) => {
      nowMs += ms;
      etcd.settle();
    },
    close: async () => undefined,
  };
});
