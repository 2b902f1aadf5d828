import {
  CreateOpenIDConnectProviderCommand,
  DeleteOpenIDConnectProviderCommand,
  GetOpenIDConnectProviderCommand,
  ListOpenIDConnectProvidersCommand,
  TagOpenIDConnectProviderCommand,
  UpdateOpenIDConnectProviderThumbprintCommand,
} from '@aws-sdk/client-iam';
import type { Tags } from '../../node/tag-list.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isOwned } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';
import { unlessGone } from './unless-gone.ts';

interface FoundProvider {
  readonly arn: string;
  readonly clientIds: readonly string[];
  readonly thumbprints: readonly string[];
  readonly tags: Tags;
}

async function listProviders(aws: AwsCloud): Promise<readonly string[]> {
  const { OpenIDConnectProviderList = [] } = await aws.iam.send(new ListOpenIDConnectProvidersCommand({}));
  return OpenIDConnectProviderList.flatMap(({ Arn }) => Arn ?? []);
}

async function loadProvider(aws: AwsCloud, arn: string): Promise<FoundProvider | undefined> {
  const question = new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: arn });
  const found = await unlessGone(aws.iam.send(question));
  return (
    found && {
      arn,
      clientIds: (found.ClientIDList ?? []).toSorted(),
      thumbprints: (found.ThumbprintList ?? []).toSorted(),
      tags: tagsOf(found.Tags),
    }
  );
}

export const oidcProviderHandler = resourceHandler<'aws/OidcProvider', FoundProvider>({
  kind: 'aws/OidcProvider',
  noun: 'OIDC provider',
  async find({ props }, aws) {
    const issuer = props.url.replace(/^https:\/\//, '');
    const arn = (await listProviders(aws)).find((one) => one.split(':oidc-provider/')[1] === issuer);
    return arn === undefined ? undefined : loadProvider(aws, arn);
  },
  fixed: ['clientIds'],
  wanted: ({ clientIds, thumbprints, tags }) => ({
    clientIds: clientIds.toSorted(),
    thumbprints: thumbprints.toSorted(),
    tags,
  }),
  present: ({ clientIds, thumbprints, tags }, props) => ({ clientIds, thumbprints, tags: kept(props.tags, tags) }),
  async create({ props }, aws) {
    await aws.iam.send(
      new CreateOpenIDConnectProviderCommand({
        Url: props.url,
        ClientIDList: [...props.clientIds],
        ThumbprintList: [...props.thumbprints],
        Tags: tagList(props.tags),
      }),
    );
  },
  async update({ props }, { arn: OpenIDConnectProviderArn }, changes, aws) {
    if (changes.some(({ path }) => path.startsWith('thumbprints'))) {
      const ThumbprintList = [...props.thumbprints];
      await aws.iam.send(
        new UpdateOpenIDConnectProviderThumbprintCommand({ OpenIDConnectProviderArn, ThumbprintList }),
      );
    }
    if (changes.some(({ path }) => path.startsWith('tags'))) {
      await aws.iam.send(new TagOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, Tags: tagList(props.tags) }));
    }
  },
  outputs: ({ arn }) => ({ arn }),
  async owned(aws) {
    const found = await Promise.all((await listProviders(aws)).map(async (arn) => loadProvider(aws, arn)));
    return found
      .filter((provider) => provider !== undefined)
      .filter(({ tags }) => isOwned(aws, tags))
      .map(({ arn, tags }) => ({
        name: tags['Name'] ?? arn,
        description: `OIDC provider ${arn}`,
        handle: arn,
      }));
  },
  remove: async ({ handle }, aws) => {
    await unlessGone(aws.iam.send(new DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: handle })));
  },
});
