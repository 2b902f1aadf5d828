import { join } from 'node:path';
import { processLog } from '@kopsctl/agent/log.ts';
import { runEtcdCluster } from '@kopsctl/etcd-manager/run-etcd-cluster.ts';
import { staticPodApiServer } from '@kopsctl/agent/api-server.ts';
import { childUnits } from '@kopsctl/etcd-manager/units/testing/child-units.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { benchConfig, type BenchMachine } from './etcd-machines.ts';

/**
 * One etcd-manager as on a machine, except that its etcd is a child process. It runs in a process of its own, so that
 * its memory can be measured.
 */
const machine = JSON.parse(process.argv[2] ?? '') as BenchMachine;
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());
const units = childUnits((name) => join(machine.folder, `${name}.log`));
const config = benchConfig(machine);
const env = {
  cluster: machine.cluster,
  address: machine.address,
  store: await openStore(machine.storeUrl, {}),
  units,
  apiServer: staticPodApiServer({
    manifest: join(machine.folder, 'manifests', 'kube-apiserver.manifest'),
    heldFolder: join(machine.folder, 'held'),
    processNames: () => Promise.resolve([]),
  }),
  log: processLog({}, `etcd-manager ${machine.member}`),
};
await runEtcdCluster(config, env, ended.signal);
await units.stop(`etcd-${config.name}`, 'SIGKILL');
