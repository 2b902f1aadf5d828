import { orEmpty, type WordTable } from '@kopsctl/spec/validate/words.ts';

/** The words of AWS (kops pkg/apis/kops/validation/aws.go and instancegroup.go). */
export const AWS_WORDS: WordTable = {
  cluster: {
    'spec.cloudConfig.nlbSecurityGroupMode': ['Managed'],
  },
  group: {
    'spec.cpuCredits': ['standard', 'unlimited'],
    'spec.instanceInterruptionBehavior': ['hibernate', 'stop', 'terminate'],
    'spec.instanceMetadata.httpTokens': ['optional', 'required'],
    'spec.mixedInstancesPolicy.onDemandAllocationStrategy': ['prioritized', 'lowest-price'],
    'spec.mixedInstancesPolicy.spotAllocationStrategy': [
      'lowest-price',
      'diversified',
      'capacity-optimized',
      'capacity-optimized-prioritized',
      'price-capacity-optimized',
    ],
    // A volume of st1 or sc1 cannot be a root volume (EBS user guide, "Amazon EBS volume types").
    'spec.rootVolumeType': ['standard', 'gp2', 'gp3', 'io1', 'io2'],
    'spec.tenancy': orEmpty('default', 'dedicated', 'host'),
  },
};
