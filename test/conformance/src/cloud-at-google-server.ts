import { randomUUID } from 'node:crypto';
import type { GceCloud } from '@kopsctl/clouds/gce/control/handlers/gce-cloud.ts';
import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { GoogleServer } from './google-server.ts';

/** What handlers of GCE get for a cluster whose cloud is the test server. */
export const cloudAt = ({ url }: GoogleServer, spec: ClusterSpec = {}): GceCloud => ({
  cluster: { metadata: { name: 'demo.example.com' }, spec },
  clusterName: 'demo.example.com',
  project: 'acme',
  region: 'us-east1',
  api: openGoogleApi(async () => 'token'),
  endpoints: {
    compute: `${url}/compute/v1`,
    dns: `${url}/dns/v1`,
    iam: url,
    kms: url,
    resourceManager: url,
    storage: url,
  },
  newRequestId: randomUUID,
  everything: false,
});
