import {
  CreateTagsCommand,
  DeleteKeyPairCommand,
  DescribeKeyPairsCommand,
  type Filter,
  ImportKeyPairCommand,
  type KeyPairInfo,
} from '@aws-sdk/client-ec2';
import type { AwsCloud } from './aws-cloud.ts';
import { amongAllOr, isOwned, ownedFilters } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';
import { unlessGone } from './unless-gone.ts';

interface FoundKeyPair {
  readonly id: string;
  readonly publicKey: string;
  readonly tags: Readonly<Record<string, string>>;
}

async function describe(
  aws: AwsCloud,
  which: { readonly KeyNames: string[] } | { readonly Filters: Filter[] },
): Promise<readonly KeyPairInfo[]> {
  const { KeyPairs = [] } = await aws.ec2.send(new DescribeKeyPairsCommand({ ...which, IncludePublicKey: true }));
  return KeyPairs;
}

const ownedKeyPairs = async (aws: AwsCloud): Promise<readonly KeyPairInfo[]> =>
  (await describe(aws, { Filters: ownedFilters(aws) })).filter(({ Tags }) => isOwned(aws, tagsOf(Tags)));

/** The key itself, without its type and comment. */
const keyOf = (text: string): string => text.trim().split(/\s+/)[1] ?? '';

/** The name contains the fingerprint of the key, so a different key is a different pair. */
export const keyPairHandler = resourceHandler<'aws/KeyPair', FoundKeyPair>({
  kind: 'aws/KeyPair',
  noun: 'key pair',
  async find({ props }, aws) {
    const pair = await amongAllOr(
      aws,
      () => ownedKeyPairs(aws),
      ({ KeyName }) => KeyName === props.name,
      async () => (await unlessGone(describe(aws, { KeyNames: [props.name] }))) ?? [],
    );
    return pair && { id: pair.KeyPairId ?? '', publicKey: keyOf(pair.PublicKey ?? ''), tags: tagsOf(pair.Tags) };
  },
  fixed: ['publicKey'],
  wanted: ({ publicKey, tags }) => ({ publicKey: keyOf(publicKey), tags }),
  present: ({ publicKey, tags }, props) => ({ publicKey, tags: kept(props.tags, tags) }),
  async create({ props }, aws) {
    await aws.ec2.send(
      new ImportKeyPairCommand({
        KeyName: props.name,
        PublicKeyMaterial: new TextEncoder().encode(props.publicKey),
        TagSpecifications: [{ ResourceType: 'key-pair', Tags: tagList(props.tags) }],
      }),
    );
  },
  async update({ props }, { id }, _changes, aws) {
    await aws.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: tagList(props.tags) }));
  },
  outputs: (_found, { name }) => ({ name }),
  plannedOutputs: ({ name }) => ({ name }),
  async owned(aws) {
    return (await ownedKeyPairs(aws)).map(({ KeyName = '' }) => ({
      name: KeyName.replaceAll(':', ''),
      description: `key pair ${KeyName}`,
      handle: KeyName,
    }));
  },
  remove: async ({ handle }, aws) => {
    await aws.ec2.send(new DeleteKeyPairCommand({ KeyName: handle }));
  },
});
