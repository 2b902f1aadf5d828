import type { TemplateFunction } from '@kopsctl/model/go-template/evaluate.ts';
import type { Value } from '@kopsctl/model/go-template/values.ts';
import { STABLE_CHANNEL } from '@kopsctl/model/upgrade/stable-channel.ts';
import { expect, test } from 'vitest';
import { parseChannel } from '../upgrade/parse-channel.ts';
import { channelFunctions } from './channel-functions.ts';

const MADE = `
spec:
  images:
  - {name: old, providerID: aws, architectureID: amd64, kubernetesVersion: ">=1.19.0 <1.20.0"}
  - {name: arm, providerID: aws, architectureID: arm64, kubernetesVersion: ">=1.20.0"}
  kubernetesVersions:
  - {range: ">=1.20.0", recommendedVersion: 1.20.15}
  kopsVersions:
  - {range: ">=1.30.0", kubernetesVersion: 1.36.3}
`;

const call = (
  functions: Readonly<Record<string, TemplateFunction>>,
  name: string,
  ...args: readonly Value[]
): Value => {
  const called = functions[name];
  if (called === undefined) throw new Error(`there is no ${name}`);
  return called(...args);
};
const ofMade = (name: string, ...args: readonly Value[]) => call(channelFunctions(parseChannel(MADE)), name, ...args);
const ofStable = (name: string, ...args: readonly Value[]) => call(channelFunctions(STABLE_CHANNEL), name, ...args);

test.each([
  ['ChannelRecommendedKopsKubernetesVersion', [], '1.36.3'],
  ['ChannelRecommendedKubernetesUpgradeVersion', ['1.20.2'], '1.20.15'],
  ['ChannelRecommendedKubernetesUpgradeVersion', ['v1.21.0'], '1.21.0'],
  ['ChannelRecommendedImage', ['aws', '1.19.2', 'amd64'], 'old'],
  ['ChannelRecommendedImage', ['aws', '1.20.2', 'arm64'], 'arm'],
])('a channel answers %s %j with %s', (name, args, answer) => {
  expect(ofMade(name, ...args)).toBe(answer);
});

test.each([
  ['ChannelRecommendedImage', ['gce', '1.20.2', 'arm64'], 'names no image for gce, Kubernetes 1.20.2 and arm64'],
  ['ChannelRecommendedKubernetesUpgradeVersion', ['newest'], 'newest is not a version'],
])('what a channel does not know is an error: %s %j', (name, args, why) => {
  expect(() => ofMade(name, ...args)).toThrow(why);
});

test('images of the stable channel are those of new clusters', () => {
  expect(ofStable('ChannelRecommendedImage', 'aws', '1.36.3', 'arm64')).toMatch(/ubuntu-noble-24.04-arm64-server/);
  expect(() => ofStable('ChannelRecommendedImage', 'aws', '1.36.3', 's390x')).toThrow('not a known architecture');
});
