import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';

/** Spotinst's settings were flags of kops. */
export const AWS_FLAGS = {
  apiLoadbalancerClass: {
    flags: '--api-loadbalancer-class <class>',
    path: 'spec.api.loadBalancer.class',
  },
  apiSslCertificate: {
    flags: '--api-ssl-certificate <arn>',
    help: 'certificate of the load balancer (AWS)',
    path: 'spec.api.loadBalancer.sslCertificate',
    onlyFor: 'aws',
  },
  spotinstProduct: { flags: '--spotinst-product <product>', path: 'spec.cloudConfig.spotinstProduct' },
  spotinstOrientation: { flags: '--spotinst-orientation <orientation>', path: 'spec.cloudConfig.spotinstOrientation' },
} as const satisfies OwnFlags;
