import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** Security groups that a person adds (kops pkg/apis/kops/validation/aws.go, awsValidateAdditionalSecurityGroups). */
export function* faultsOfSecurityGroups(path: string, groups: readonly string[] = []): Iterable<Fault> {
  for (const [index, id] of groups.entries()) {
    const at = `${path}[${index}]`;
    if (!id.startsWith('sg-')) {
      yield fault(at, `'${id}' is not the id of a security group`, 'such as sg-0123456789abcdef0');
    } else if (groups.indexOf(id) < index) yield fault(at, `${id} is listed twice`);
  }
}
