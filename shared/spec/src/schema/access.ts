import { list, object } from './field.ts';

/** How users are authenticated. */
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

/** How users are authorized. */
export const authorization = object({ alwaysAllow: object({}), rbac: object({}) });

/** Cloud permissions of the cluster. */
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

/** How machines authenticate when they join. */
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

/** Where the issuer of service account tokens publishes its keys. */
export const serviceAccountIssuerDiscovery = object({
  additionalAudiences: list('string'),
  discoveryService: object({ url: 'string' }),
  discoveryStore: 'string',
  enableAWSOIDCProvider: 'bool',
});
