import { computeKinds } from './compute.ts';
import type { CfnKinds } from './kind.ts';
import { networkKinds } from './network.ts';
import { securityKinds } from './security.ts';
import { trafficKinds } from './traffic.ts';

/** How each AWS kind is written in CloudFormation. */
export const AWS_CLOUDFORMATION: CfnKinds = { ...networkKinds, ...securityKinds, ...computeKinds, ...trafficKinds };
