import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { Made } from './made.ts';
import { RuleCache } from './rule-cache.ts';

/** One cluster's part of an AWS account, for one run. */
export interface AwsCloud {
  readonly clusterName: string;
  readonly region: string;
  readonly ec2: EC2Client;
  /** These are for what must not be asked for twice: they try once, and a lost answer is for the engine to think about. */
  readonly ec2Once: EC2Client;
  readonly autoScaling: AutoScalingClient;
  readonly autoScalingOnce: AutoScalingClient;
  readonly loadBalancing: ElasticLoadBalancingV2Client;
  readonly loadBalancingOnce: ElasticLoadBalancingV2Client;
  /** Of the older kind, which Services have. */
  readonly classicLoadBalancing: ElasticLoadBalancingClient;
  readonly iam: IAMClient;
  readonly route53: Route53Client;
  readonly sqs: SQSClient;
  readonly events: EventBridgeClient;
  readonly ssm: SSMClient;
  readonly made: Made;
  readonly rules: RuleCache;
  /** Another server that speaks AWS's protocols (moto, LocalStack). Such servers know no instance store and keep less. */
  readonly isStandIn: boolean;
  /** Whether what the cluster itself made (volumes, load balancers) counts as owned too: it does when all of it goes. */
  readonly everything: boolean;
}

/** What the handlers of AWS work with. */
export interface AwsEnv {
  readonly aws: AwsCloud;
}

export interface AwsCloudOptions {
  readonly clusterName: string;
  readonly region: string;
  readonly everything?: boolean;
  readonly isStandIn?: boolean;
  readonly nowMs?: () => number;
  /** How long after a lost answer something may still turn up that was made. */
  readonly doubtMs?: number;
}

/** AWS becomes consistent within seconds; this is many times what is usually seen. */
const DOUBT_MS = 15_000;

/**
 * Clients with the credentials, endpoint and region settings that AWS's own tools use. Throttled requests are tried
 * again with the rate that AWS allows.
 */
export function openAws({
  clusterName,
  region,
  everything = false,
  isStandIn = process.env['AWS_ENDPOINT_URL'] !== undefined,
  nowMs = () => Date.now(),
  doubtMs = DOUBT_MS,
}: AwsCloudOptions): AwsCloud {
  const settings = {
    region,
    retryMode: 'adaptive',
    maxAttempts: 6,
    // Without the last, a late answer is only complained of.
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  };
  const once = { ...settings, retryMode: 'standard', maxAttempts: 1 };
  return {
    clusterName,
    region,
    ec2: new EC2Client(settings),
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
    made: new Made(nowMs, doubtMs),
    rules: new RuleCache(),
    isStandIn,
    everything,
  };
}
