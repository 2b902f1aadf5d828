import { join } from 'node:path';
import type { TestCluster } from './cluster.ts';

/** Starts two pods behind a Service, of which one has to run, and returns the URL of the Service within the cluster. */
export async function startWebWorkload(cluster: TestCluster): Promise<string> {
  await cluster.kubectl('apply', '-f', join(import.meta.dirname, 'web-workload.yaml'));
  await cluster.kubectl('rollout', 'status', 'deployment/web', '--timeout=120s');
  const address = await cluster.kubectl('get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}');
  return `http://${address}/`;
}
