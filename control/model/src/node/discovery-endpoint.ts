import { discoveryServiceOf } from '@kopsctl/spec/discovery-service.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { clientCertificate, SERVICE_ACCOUNT_KEYSET } from './certificates.ts';
import type { NodeContext } from './node-context.ts';
import { after, nodeTask } from './node-task.ts';

/** kops's keyset by which a discovery service knows a cluster. */
export const DISCOVERY_CA = 'discovery-ca';

const IDENTITY = '/etc/kubernetes/discovery-service/client';

/** Control planes publish the keys, each in an entry of its own (kops nodeup/pkg/model/discovery_service.go). */
export function discoveryEndpoint({ spec, clusterName }: NodeContext): readonly Task[] {
  const service = discoveryServiceOf(spec);
  if (service === undefined) return [];
  const certificate = clientCertificate({
    name: 'discovery-service',
    basePath: IDENTITY,
    commonName: '@{nodeName}',
    signer: DISCOVERY_CA,
  });
  const endpoint = nodeTask('DiscoveryEndpoint', 'service-account-keys', {
    service,
    namespace: clusterName.replaceAll('.', '-'),
    name: '@{nodeName}',
    certificatePath: `${IDENTITY}.crt`,
    keyPath: `${IDENTITY}.key`,
    signer: DISCOVERY_CA,
    published: SERVICE_ACCOUNT_KEYSET,
    after: after(taskId(certificate)),
  });
  return [certificate, endpoint];
}
