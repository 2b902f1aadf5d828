import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';

const PATH = 'spec.cloudConfig.azure';

export const AZURE_FLAGS = {
  azureSubscriptionId: {
    flags: '--azure-subscription-id <id>',
    help: 'Azure subscription',
    path: `${PATH}.subscriptionId`,
  },
  azureTenantId: { flags: '--azure-tenant-id <id>', help: 'Azure tenant', path: `${PATH}.tenantId` },
  azureResourceGroupName: {
    flags: '--azure-resource-group-name <name>',
    help: 'Azure resource group',
    path: `${PATH}.resourceGroupName`,
  },
  azureRouteTableName: {
    flags: '--azure-route-table-name <name>',
    help: 'Azure route table',
    path: `${PATH}.routeTableName`,
  },
  azureAdminUser: {
    flags: '--azure-admin-user <name>',
    help: 'user that may log in (default: kops)',
    path: `${PATH}.adminUser`,
  },
} as const satisfies OwnFlags;
