import { list, map, object, type ValueOf } from './field.ts';
import { openstack } from './cloud-config-openstack.ts';

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

/** The EBS storage driver. */
export interface EBSCSIDriverSpec extends ValueOf<typeof ebsCsiDriver> {}

const azure = object({
  adminUser: 'string',
  resourceGroupName: 'string',
  routeTableName: 'string',
  storageAccountID: 'string',
  subscriptionId: 'string',
  tenantId: 'string',
});

/** Azure. */
export interface AzureConfiguration extends ValueOf<typeof azure> {}

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

/** Settings of Kubernetes's cloud provider and its storage drivers. */
export interface CloudConfiguration extends ValueOf<typeof cloudConfig> {}
