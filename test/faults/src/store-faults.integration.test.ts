import { keepsGuarantees } from './keeps-guarantees.ts';
import { findClusterEtcds } from './requirements.ts';
import { SOON_MS } from './waits.ts';

keepsGuarantees(await findClusterEtcds(), [
  {
    title: 'the store refuses requests, is slow, loses answers, and does not answer at all',
    async harm(cluster, traffic) {
      await cluster.harmStore({ kind: 'fails' });
      for (const machine of cluster.machines) await cluster.signalEtcd(machine, 'SIGKILL');
      // A manager that knows what to run starts it even if the store fails.
      await cluster.harmStore({ kind: 'slow', delayMs: 500 });
      await traffic.acknowledges(10, SOON_MS);
      await cluster.harmStore({ kind: 'loses-answers' });
      await cluster.destroy(2);
      await cluster.boot(2);
      await traffic.acknowledges(10, SOON_MS);
      await cluster.harmStore({ kind: 'silent' });
      await traffic.acknowledges(30, SOON_MS);
      await cluster.harmStore({ kind: 'none' });
    },
  },
  {
    title: 'records in the store are damaged',
    async harm(cluster, traffic) {
      await cluster.tearStore('control/leader', SOON_MS);
      // The leading manager writes it within its first 15 seconds.
      await cluster.tearStore('control/versions.json', SOON_MS);
      await cluster.tearStore('control/etcd-cluster-created', SOON_MS);
      await traffic.acknowledges(30, SOON_MS);
      await cluster.destroy(2);
      await cluster.boot(2);
    },
  },
]);
