import {
  CreateTagsCommand,
  DeleteKeyPairCommand,
  DescribeKeyPairsCommand,
  ImportKeyPairCommand,
} from '@aws-sdk/client-ec2';
import { isNotFound } from './aws-error.ts';
import { isOwned, ownedFilters } from './ec2-resource.ts';
import { kept, tagList, tagsOf } from '../../node/tag-list.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundKeyPair {
  readonly id: string;
  readonly publicKey: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The key itself, without its type and comment. */
const keyOf = (text: string): string => text.trim().split(/\s+/)[1] ?? '';

/** The name contains the fingerprint of the key, so a different key is a different pair. */
export const keyPairHandler = resourceHandler<'aws/KeyPair', FoundKeyPair>({
  kind: 'aws/KeyPair',
  noun: 'key pair',
  async find({ props }, aws) {
    try {
      const { KeyPairs: [pair] = [] } = await aws.ec2.send(
        new DescribeKeyPairsCommand({ KeyNames: [props.name], IncludePublicKey: true }),
      );
      return pair && { id: pair.KeyPairId ?? '', publicKey: keyOf(pair.PublicKey ?? ''), tags: tagsOf(pair.Tags) };
    } catch (thrown) {
      if (isNotFound(thrown)) return undefined;
      throw thrown;
    }
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
    const { KeyPairs = [] } = await aws.ec2.send(new DescribeKeyPairsCommand({ Filters: ownedFilters(aws) }));
    return KeyPairs.filter(({ Tags }) => isOwned(aws, tagsOf(Tags))).map(({ KeyName = '' }) => ({
      name: KeyName.replaceAll(':', ''),
      description: `key pair ${KeyName}`,
      handle: KeyName,
    }));
  },
  remove: async ({ handle }, aws) => {
    await aws.ec2.send(new DeleteKeyPairCommand({ KeyName: handle }));
  },
});
