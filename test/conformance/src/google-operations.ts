import { GlobalOperationsClient, RegionOperationsClient, ZoneOperationsClient } from '@google-cloud/compute';
import { OAuth2Client } from 'google-auth-library';
import type { GoogleServer } from './google-server.ts';

/** A change that has begun: the client leaves the name of the operation in what Google answered. */
export type Begun = Promise<readonly [{ readonly latestResponse: { readonly name?: string | null } }, ...unknown[]]>;

/** What Google's clients of Compute Engine are opened with, to reach the server in place of Google's. */
export function computeClientOptions({ url }: GoogleServer, project: string) {
  const { hostname, port } = new URL(url);
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'token' });
  return { apiEndpoint: hostname, port: Number(port), protocol: 'http', projectId: project, authClient } as const;
}

export const operationOf = async (begun: Begun): Promise<string> => (await begun)[0].latestResponse.name ?? '';

/**
 * Waits for changes as Google's documentation says: again and again until the operation is done, each time for as long
 * as Google holds back its answer.
 */
export function openOperations(
  options: ReturnType<typeof computeClientOptions>,
  { project, region, zone }: Readonly<Record<'project' | 'region' | 'zone', string>>,
): (place: 'global' | 'region' | 'zone', begun: Begun) => Promise<void> {
  const [globally, regionally, zonally] = [
    new GlobalOperationsClient(options),
    new RegionOperationsClient(options),
    new ZoneOperationsClient(options),
  ];
  const waits = {
    global: (operation: string) => globally.wait({ project, operation }),
    region: (operation: string) => regionally.wait({ project, region, operation }),
    zone: (operation: string) => zonally.wait({ project, zone, operation }),
  };
  return async (place, begun) => {
    const operation = await operationOf(begun);
    let status: unknown;
    while (status !== 'DONE') status = (await waits[place](operation))[0].status;
  };
}
