import { randomUUID } from 'node:crypto';
import { type GoogleApi, openGoogleApi } from '@kopsctl/google/google-api.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { googleCredentials } from '@kopsctl/state-store/gcs/gcs-token.ts';
import { computeEndpoint } from '../../node/compute.ts';
import { kmsEndpoint } from '../../node/cloud-kms.ts';
import { projectOf, regionOf } from '../region.ts';

/** Google's services as one run for one cluster uses them. */
export interface GceCloud {
  readonly cluster: Pick<Cluster, 'metadata' | 'spec'>;
  readonly clusterName: string;
  readonly project: string;
  readonly region: string;
  readonly api: GoogleApi;
  readonly endpoints: Endpoints;
  /** A change that is repeated with its id is done once. */
  readonly newRequestId: () => string;
  /** Whether resources that the cluster itself created (disks, load balancers) count as owned too. */
  readonly everything: boolean;
}

interface Endpoints {
  /** Each without a slash at its end. */
  readonly compute: string;
  readonly dns: string;
  readonly iam: string;
  readonly kms: string;
  readonly resourceManager: string;
  readonly storage: string;
}

/** The environment of the GCE handlers. */
export interface GceEnv {
  readonly gce: GceCloud;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The same scope as that of gcloud's token; roles decide what the token may do in the project. */
export const GOOGLE_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** The services, with the credentials that all of Google's programs find, and the endpoints that gcloud would use. */
export function openGce(cluster: GceCloud['cluster'], everything: boolean, env: Env = process.env): GceCloud {
  const { metadata, spec } = cluster;
  const { token, quotaProject } = googleCredentials(GOOGLE_SCOPE);
  return {
    cluster,
    clusterName: metadata.name,
    project: projectOf(metadata.name, spec),
    region: regionOf(metadata.name, spec),
    api: openGoogleApi(token, { ifUnanswered: routeOfPerson, quotaProject }),
    endpoints: {
      compute: computeEndpoint(env),
      kms: kmsEndpoint(env),
      dns: endpoint(env, 'DNS', 'https://dns.googleapis.com/dns/v1'),
      iam: endpoint(env, 'IAM', 'https://iam.googleapis.com'),
      resourceManager: endpoint(env, 'CLOUDRESOURCEMANAGER', 'https://cloudresourcemanager.googleapis.com'),
      storage: endpoint(env, 'STORAGE', 'https://storage.googleapis.com'),
    },
    newRequestId: randomUUID,
    everything,
  };
}

export const routeOfPerson = (host: string): string =>
  `check the network of this computer, and that it reaches ${host}`;

/** A variable of gcloud names a server other than Google's. */
const endpoint = (env: Env, service: string, usual: string): string =>
  (env[`CLOUDSDK_API_ENDPOINT_OVERRIDES_${service}`] || usual).replace(/\/+$/, '');
