import { connectKube, connectKubernetesApi } from '@kopsctl/actions/access/kubernetes-api.ts';
import { compareCluster } from '@kopsctl/actions/validate/compare-cluster.ts';
import { readKubeconfig } from '@kopsctl/kube/kubeconfig.ts';
import { runningToy } from '@kopsctl/test-clouds/toy-cloud/control/running-toy.ts';
import { CLUSTER, openToy } from './toy-machines.ts';

/** What the process that validates prints. */
export interface ValidateFigures {
  readonly failures: readonly string[];
  readonly machines: number;
  /** From the start of the process. */
  readonly seconds: number;
  readonly peakMiB: number;
}

const [folder = '', kubeconfig = ''] = process.argv.slice(2);
const { server, ca = '', cert = '', key = '' } = await readKubeconfig(kubeconfig);
const credentials = { caPem: ca, certificatePem: cert, privateKeyPem: key };
const completed = {
  cluster: { metadata: { name: CLUSTER } },
  instanceGroups: [],
};
const { failures, machines } = await compareCluster(
  {
    // This reads the name and the groups of the completed spec.
    completed: completed as never,
    running: runningToy(openToy(folder), CLUSTER),
    api: connectKubernetesApi({ server }, credentials),
    kube: connectKube({ server }, credentials),
    server,
  },
  0,
  new AbortController().signal,
);
const figures: ValidateFigures = {
  failures: failures.map(({ kind, name, message }) => `${kind} ${name}: ${message}`),
  machines: machines.length,
  seconds: process.uptime(),
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
