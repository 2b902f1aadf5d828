import { list, object, type ValueOf } from './field.ts';

export const authentication = object({
  aws: object({
    backendMode: 'string',
    clusterID: 'string',
    cpuLimit: 'quantity',
    cpuRequest: 'quantity',
    identityMappings: list(object({ arn: 'string', groups: list('string'), username: 'string' })),
    image: 'string',
    memoryLimit: 'quantity',
    memoryRequest: 'quantity',
  }),
  kopeio: object({}),
});

/** How users are authenticated. */
export interface AuthenticationSpec extends ValueOf<typeof authentication> {}

export const authorization = object({ alwaysAllow: object({}), rbac: object({}) });

/** How users are authorized. */
export interface AuthorizationSpec extends ValueOf<typeof authorization> {}

export const iam = object({
  allowContainerRegistry: 'bool',
  legacy: 'bool',
  permissionsBoundary: 'string',
  serviceAccountExternalPermissions: list(
    object({
      aws: object({ inlinePolicy: 'string', policyARNs: list('string') }),
      name: 'string',
      namespace: 'string',
    }),
  ),
  useServiceAccountExternalPermissions: 'bool',
});

/** Cloud permissions of the cluster. */
export interface IAMSpec extends ValueOf<typeof iam> {}

export const nodeAuthorization = object({
  nodeAuthorizer: object({
    authorizer: 'string',
    features: list('string'),
    image: 'string',
    interval: 'duration',
    nodeURL: 'string',
    port: 'int',
    timeout: 'duration',
    tokenTTL: 'duration',
  }),
});

/** How machines authenticate when they join. */
export interface NodeAuthorizationSpec extends ValueOf<typeof nodeAuthorization> {}

export const serviceAccountIssuerDiscovery = object({
  additionalAudiences: list('string'),
  discoveryService: object({ url: 'string' }),
  discoveryStore: 'string',
  enableAWSOIDCProvider: 'bool',
});

/** Where the issuer of service account tokens publishes its keys. */
export interface ServiceAccountIssuerDiscoveryConfig extends ValueOf<typeof serviceAccountIssuerDiscovery> {}
