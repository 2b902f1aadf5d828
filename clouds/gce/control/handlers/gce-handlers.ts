import type { Handler } from '@kopsctl/tasks/task.ts';
import { addressHandler } from './address.ts';
import { backendServiceHandler } from './backend-service.ts';
import { bucketMemberHandler } from './bucket-member.ts';
import { diskHandler } from './disk.ts';
import { dnsRecordsHandler } from './dns-records.ts';
import { firewallHandler } from './firewall.ts';
import { forwardingRuleHandler } from './forwarding-rule.ts';
import type { GceEnv } from './gce-cloud.ts';
import { healthCheckHandler, httpHealthCheckHandler } from './health-check.ts';
import { instanceGroupManagerHandler } from './instance-group-manager.ts';
import { instanceTemplateHandler } from './instance-template.ts';
import { keyMemberHandler } from './key-member.ts';
import { leftoverHandlers } from './leftovers.ts';
import { networkHandler } from './network.ts';
import { projectMemberHandler } from './project-member.ts';
import { publicFileHandler } from './public-file.ts';
import { routerHandler } from './router.ts';
import { serviceAccountHandler } from './service-account.ts';
import { subnetworkHandler } from './subnetwork.ts';
import { targetPoolHandler } from './target-pool.ts';

/** Every GCE kind. Kinds only depend on kinds before them: resources are deleted in reverse order. */
export const gceHandlers: readonly Handler<GceEnv>[] = [
  networkHandler,
  subnetworkHandler,
  routerHandler,
  firewallHandler,
  ...leftoverHandlers,
  serviceAccountHandler,
  projectMemberHandler,
  bucketMemberHandler,
  keyMemberHandler,
  publicFileHandler,
  dnsRecordsHandler,
  diskHandler,
  addressHandler,
  httpHealthCheckHandler,
  targetPoolHandler,
  instanceTemplateHandler,
  instanceGroupManagerHandler,
  healthCheckHandler,
  backendServiceHandler,
  forwardingRuleHandler,
];
