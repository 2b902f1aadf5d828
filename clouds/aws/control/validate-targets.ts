import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** The longest name of a load balancer or target group (Elastic Load Balancing API). */
const LONGEST_NAME = 32;

const HINT = 'such as arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef';

/** Load balancers of a person's own, which machines register with (kops pkg/apis/kops/validation/instancegroup.go). */
export function* faultsOfTargets(balancers: InstanceGroupSpec['externalLoadBalancers'] = []): Iterable<Fault> {
  for (const [index, { loadBalancerName: name, targetGroupArn: arn }] of balancers.entries()) {
    const path = `spec.externalLoadBalancers[${index}]`;
    if (name !== undefined && arn !== undefined) {
      yield fault(path, 'names a load balancer and a target group', 'make two items of it');
    }
    if (name !== undefined && name.length > LONGEST_NAME) {
      yield fault(`${path}.loadBalancerName`, `'${name}' has more than ${LONGEST_NAME} characters`);
    }
    if (arn === undefined) continue;
    const [, group] = /^arn:[^:]+:[^:]+:[^:]*:[^:]*:targetgroup\/([^/]*)\/[^/]*$/.exec(arn) ?? [];
    if (group === undefined) yield fault(`${path}.targetGroupArn`, `'${arn}' is not the ARN of a target group`, HINT);
    else if (group.length > LONGEST_NAME) {
      yield fault(`${path}.targetGroupArn`, `the name '${group}' has more than ${LONGEST_NAME} characters`);
    }
  }
}
