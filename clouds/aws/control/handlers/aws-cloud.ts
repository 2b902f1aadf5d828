import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { Route53Client } from '@aws-sdk/client-route-53';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { proxiedConnections } from '@kopsctl/http/proxied-connections.ts';
import { Made } from './made.ts';
import { ReadOnce } from './read-once.ts';
import { refuseRoleOfKops } from './role-of-kops.ts';
import { RuleCache } from './rule-cache.ts';

/** The AWS account as one run for one cluster uses it. */
export interface AwsCloud {
  readonly clusterName: string;
  readonly region: string;
  readonly ec2: EC2Client;
  /**
   * The `…Once` clients are for requests that must not be repeated: they do not retry, and the engine handles a lost
   * response.
   */
  readonly ec2Once: EC2Client;
  readonly autoScaling: AutoScalingClient;
  readonly autoScalingOnce: AutoScalingClient;
  readonly loadBalancing: ElasticLoadBalancingV2Client;
  readonly loadBalancingOnce: ElasticLoadBalancingV2Client;
  /** Classic load balancers, which Services may have. */
  readonly classicLoadBalancing: ElasticLoadBalancingClient;
  readonly iam: IAMClient;
  readonly route53: Route53Client;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  readonly events: EventBridgeClient;
  readonly ssm: SSMClient;
  readonly made: Made;
  readonly rules: RuleCache;
  /** Absent where every request is to be sent. */
  readonly reads?: ReadOnce;
  /**
   * Whether the endpoint emulates AWS (moto, LocalStack). Such servers have no instance stores and support fewer
   * fields.
   */
  readonly isStandIn: boolean;
  /**
   * Whether resources that the cluster itself created (volumes, load balancers) count as owned too: true when the whole
   * cluster is deleted.
   */
  readonly everything: boolean;
}

/** The environment of the AWS handlers. */
export interface AwsEnv {
  readonly aws: AwsCloud;
}

export interface AwsCloudOptions {
  readonly clusterName: string;
  readonly region: string;
  readonly everything?: boolean;
  readonly isStandIn?: boolean;
  /** For a run that looks at many resources, but not for a caller that waits for AWS by polling. */
  readonly readsOnce?: boolean;
  readonly nowMs?: () => number;
  /** How long after a lost response a resource may still appear. */
  readonly doubtMs?: number;
}

/** AWS usually becomes consistent within seconds; 15 leave a wide margin. */
const DOUBT_MS = 15_000;

/**
 * Clients with the credentials, endpoint and region settings of AWS's own tools. Throttled requests are retried at the
 * rate that AWS allows.
 */
export function openAws({
  clusterName,
  region,
  everything = false,
  isStandIn = process.env['AWS_ENDPOINT_URL'] !== undefined,
  readsOnce = false,
  nowMs = () => Date.now(),
  doubtMs = DOUBT_MS,
}: AwsCloudOptions): AwsCloud {
  refuseRoleOfKops(process.env);
  const patient = { region, retryMode: 'adaptive', maxAttempts: 6 };
  const ec2 = new EC2Client({
    ...patient,
    // Without `throwOnRequestTimeout` the client only logs a late response.
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      httpsAgent: proxiedConnections(),
    },
  });
  // All clients use its connections, and a role that has to be assumed is assumed once.
  const { requestHandler, credentials } = ec2.config;
  const settings = { ...patient, requestHandler, credentials };
  const once = { ...settings, retryMode: 'standard', maxAttempts: 1 };
  const clients = {
    ec2,
    ec2Once: new EC2Client(once),
    autoScaling: new AutoScalingClient(settings),
    autoScalingOnce: new AutoScalingClient(once),
    loadBalancing: new ElasticLoadBalancingV2Client(settings),
    loadBalancingOnce: new ElasticLoadBalancingV2Client(once),
    classicLoadBalancing: new ElasticLoadBalancingClient(settings),
    iam: new IAMClient(settings),
    route53: new Route53Client(settings),
    sqs: new SQSClient(settings),
    events: new EventBridgeClient(settings),
    ssm: new SSMClient(settings),
  };
  const reads = readsOnce ? new ReadOnce(nowMs) : undefined;
  for (const client of Object.values(clients)) reads?.watch(client);
  return {
    clusterName,
    region,
    ...clients,
    // A bucket may be in another region than the cluster. An object is read as a stream, which is read only once anyway.
    s3: new S3Client({ ...settings, followRegionRedirects: true, forcePathStyle: isStandIn }),
    ...(reads && { reads }),
    made: new Made(nowMs, doubtMs),
    rules: new RuleCache(),
    isStandIn,
    everything,
  };
}
