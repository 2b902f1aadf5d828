import { list, map, object } from './field.ts';
import { openstack } from './cloud-config-openstack.ts';

/** The EBS storage driver. */
const ebsCsiDriver = object({
  enabled: 'bool',
  hostNetwork: 'bool',
  kubeAPIBurst: 'int32',
  kubeAPIQPS: 'quantity',
  managed: 'bool',
  podAnnotations: map('string'),
  version: 'string',
  volumeAttachLimit: 'int',
});

/** Azure. */
const azure = object({
  adminUser: 'string',
  resourceGroupName: 'string',
  routeTableName: 'string',
  storageAccountID: 'string',
  subscriptionId: 'string',
  tenantId: 'string',
});

/** Settings of Kubernetes's cloud provider and its storage drivers. */
export const cloudConfig = object({
  awsEBSCSIDriver: ebsCsiDriver,
  azure,
  disableSecurityGroupIngress: 'bool',
  elbSecurityGroup: 'string',
  gceServiceAccount: 'string',
  gceUseStartupScript: 'bool',
  gcpPDCSIDriver: object({ defaultStorageClassName: 'string', enabled: 'bool', version: 'string' }),
  manageStorageClasses: 'bool',
  multizone: 'bool',
  nlbSecurityGroupMode: 'string',
  nodeIPFamilies: list('string'),
  nodeInstancePrefix: 'string',
  nodeTags: 'string',
  openstack,
  spotinstOrientation: 'string',
  spotinstProduct: 'string',
  useIPBasedNodeNames: 'bool',
  vSphereCoreDNSServer: 'string',
  vSphereDatacenter: 'string',
  vSphereDatastore: 'string',
  vSpherePassword: 'string',
  vSphereResourcePool: 'string',
  vSphereServer: 'string',
  vSphereUsername: 'string',
});
