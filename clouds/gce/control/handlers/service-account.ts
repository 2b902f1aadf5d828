import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { differences } from '@kopsctl/tasks/differences.ts';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { accountEmail } from '../account-email.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import type { GceCloud, GceEnv } from './gce-cloud.ts';
import { doing, isNotFound } from './google-error.ts';
import { clusterAccounts, ofOwnAccounts } from './cluster-accounts.ts';

type Props = PropsOf<'gce/ServiceAccount'>;

interface FoundAccount {
  readonly email: string;
  readonly displayName: string;
  readonly description: string;
  readonly etag: string;
}

const urlOf = ({ endpoints }: GceCloud, project: string, email: string): string =>
  `${endpoints.iam}/v1/projects/${project}/serviceAccounts/${email}`;

async function read(
  gce: GceCloud,
  project: string,
  email: string,
  signal: AbortSignal,
): Promise<FoundAccount | undefined> {
  try {
    const answer = await gce.api.call({ method: 'GET', url: urlOf(gce, project, email) }, signal);
    const fields = new AnswerFields(answer, 'IAM');
    return {
      email: fields.text('email'),
      displayName: fields.text('displayName', ''),
      description: fields.text('description', ''),
      etag: fields.text('etag', ''),
    };
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}

const emailOf = ({ accountId, project }: Props): string => accountEmail(accountId, project);

/** The accounts that machines act as (https://cloud.google.com/iam/docs/reference/rest/v1/projects.serviceAccounts). */
export const serviceAccountHandler: Handler<GceEnv, Props, FoundAccount> = {
  kind: 'gce/ServiceAccount',
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by gceTask, which holds it to the same contract
  parse: (props) => props as unknown as Props,

  find: (name, props, { gce }, signal) =>
    doing(`look for service account ${name}`, () => read(gce, props.project, emailOf(props), signal)),

  plan(name, { displayName, description }, found) {
    if (found === undefined) return [{ action: 'create', summary: `create service account ${name}` }];
    const present = { displayName: found.displayName, description: found.description };
    const changes = differences({ displayName, description }, present);
    return changes.length === 0 ? [] : [{ action: 'update', summary: `change service account ${name}`, changes }];
  },

  apply: ({ action }, name, props, { gce }, signal) =>
    doing(`${action} service account ${name}`, async () => {
      const { project, accountId, displayName, description } = props;
      const texts = { displayName, description };
      if (action === 'create') {
        const url = `${gce.endpoints.iam}/v1/projects/${project}/serviceAccounts`;
        const body = { accountId, serviceAccount: texts };
        await gce.api.call({ method: 'POST', url, body }, signal);
        return;
      }
      const body = { serviceAccount: texts, updateMask: Object.keys(texts).join(',') };
      await gce.api.call({ method: 'PATCH', url: urlOf(gce, project, emailOf(props)), body }, signal);
    }),

  outputs: (_name, _props, { email }) => ({ email }),
  plannedOutputs: (_name, props) => ({ email: emailOf(props) }),

  listOwned: ({ gce }, signal) =>
    doing('list the service accounts of the cluster', async () => {
      const isThere = async (email: string) => (await read(gce, gce.project, email, signal)) !== undefined;
      const found = await ofOwnAccounts(gce, () =>
        Promise.all(
          [...clusterAccounts(gce)].map(async ([name, email]) => ((await isThere(email)) ? [{ name, email }] : [])),
        ),
      );
      return found.flat().map(({ name, email }) => ({ name, description: `service account ${email}`, handle: email }));
    }),
  remove: ({ description, handle }, { gce }, signal) =>
    doing(`delete ${description}`, async () => {
      if (typeof handle !== 'string') throw new Error(`${description} has no handle`);
      try {
        await gce.api.call({ method: 'DELETE', url: urlOf(gce, gce.project, handle) }, signal);
      } catch (thrown) {
        if (!isNotFound(thrown)) throw thrown;
      }
    }),
};
