import type { Channel } from '@kopsctl/model/upgrade/channel.ts';
import { adviceFor } from '@kopsctl/model/upgrade/channel.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { parse } from 'yaml';
import * as z from 'zod';

/** The release of kops whose lines of a channel are ours: what that recommends works with this program too. */
const KOPS_VERSION = '1.37.0-alpha.1';

const adviceSchema = z.object({
  range: z.string(),
  recommendedVersion: z.string().optional(),
  requiredVersion: z.string().optional(),
  kubernetesVersion: z.string().optional(),
});

/** kops.k8s.io/v1alpha2 Channel (kops pkg/apis/kops/channel.go); what upgrades do not read is left out. */
const channelSchema = z.object({
  spec: z.object({
    images: z
      .array(
        z.object({
          name: z.string(),
          // Without it, an image is for no cloud (FindImage).
          providerID: z.string().default(''),
          architectureID: z.string().default('amd64'),
          kubernetesVersion: z.string().default('*'),
        }),
      )
      .default([]),
    cluster: z.object({ kubernetesVersion: z.string().optional() }).optional(),
    kubernetesVersions: z.array(adviceSchema).default([]),
    kopsVersions: z.array(adviceSchema).default([]),
  }),
});

/** Reads the text of a channel. @throws where it is none */
export function parseChannel(text: string): Channel {
  const { spec } = channelSchema.parse(parse(text));
  const ofKops = spec.kopsVersions.map(({ range, kubernetesVersion }) => ({
    range,
    recommended: kubernetesVersion,
    required: undefined,
  }));
  const kubernetes = adviceFor({ advice: ofKops }, KOPS_VERSION)?.recommended ?? spec.cluster?.kubernetesVersion;
  return {
    kubernetes: kubernetes && bareVersion(kubernetes),
    advice: spec.kubernetesVersions.map(({ range, recommendedVersion, requiredVersion }) => ({
      range,
      recommended: recommendedVersion,
      required: requiredVersion,
    })),
    images: spec.images.map(({ name, providerID, architectureID, kubernetesVersion }) => ({
      cloud: providerID,
      architecture: architectureID,
      kubernetes: kubernetesVersion,
      image: name,
    })),
  };
}
