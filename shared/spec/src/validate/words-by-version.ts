import type { ClusterSpec, KubeletConfig } from '../cluster.ts';
import { hasGateOn } from '../feature-gate.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { kubernetesFacts, type KubernetesFacts, knowsSetting, type WordField } from '../kubernetes-versions.ts';
import { minorOf } from '../minor-version.ts';
import { ELECTING_SECTIONS } from './api-words.ts';
import { fault, type Fault } from './fault.ts';

/** Refuses words that some versions of a component know, and not the one of this cluster. */
export function* validateWordsByVersion(spec: ClusterSpec, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const facts = kubernetesFacts(spec.kubernetesVersion ?? '');
  if (facts === undefined) return;
  yield* swapBehaviors(spec, groups, facts);
  yield* leaderLocks(spec, facts);
  if (spec.kubeProxy?.enabled === false) return;
  yield* unknownWord(
    { path: 'spec.kubeProxy.proxyMode', field: 'proxyMode', word: spec.kubeProxy?.proxyMode },
    spec,
    facts,
  );
  yield* gatedMode(spec, facts);
}

function* swapBehaviors(spec: ClusterSpec, groups: readonly InstanceGroup[], facts: KubernetesFacts): Iterable<Fault> {
  const field = 'memorySwapBehavior';
  if (!knowsSetting(facts, 'kubelet', field)) return;
  const check = (section: string, config: KubeletConfig | undefined): Iterable<Fault> =>
    unknownWord({ path: `spec.${section}.${field}`, field, word: config?.[field] }, spec, facts);
  yield* check('kubelet', spec.kubelet);
  yield* check('masterKubelet', spec.masterKubelet);
  for (const { metadata, spec: group } of groups) {
    for (const one of check('kubelet', group.kubelet)) yield { ...one, instanceGroup: metadata.name };
  }
}

/** A component that elects no leader has no lock. */
function* leaderLocks(spec: ClusterSpec, facts: KubernetesFacts): Iterable<Fault> {
  for (const section of ELECTING_SECTIONS) {
    const { leaderElect, leaderElectResourceLock: word } = spec[section]?.leaderElection ?? {};
    if (leaderElect === false) continue;
    const path = `spec.${section}.leaderElection.leaderElectResourceLock`;
    yield* unknownWord({ path, field: 'leaderElectResourceLock', word }, spec, facts);
  }
}

interface Word {
  readonly path: string;
  readonly field: WordField;
  readonly word: string | undefined;
}

function* unknownWord(
  { path, field, word }: Word,
  { kubernetesVersion = '' }: ClusterSpec,
  { unknownWords }: KubernetesFacts,
): Iterable<Fault> {
  const unknown = unknownWords[field].find((one) => one.word === word);
  if (unknown === undefined) return;
  const { since, until, instead } = unknown;
  const known =
    since === undefined
      ? `only versions below ${minorOf(until ?? '')} know`
      : `${minorOf(since)} is the first that knows`;
  const message = `Kubernetes ${kubernetesVersion} does not know ${word}; ${known} it`;
  yield fault(path, message, instead === undefined ? 'remove this field' : `use ${instead}`);
}

/** kube-proxy exits with a mode whose feature gate is off (pkg/proxy/apis/config/validation). */
function* gatedMode({ kubeProxy = {}, kubernetesVersion = '' }: ClusterSpec, facts: KubernetesFacts): Iterable<Fault> {
  const gate = 'NFTablesProxyMode';
  const { proxyMode } = kubeProxy;
  const isKnown = !facts.unknownWords.proxyMode.some(({ word }) => word === proxyMode);
  if (proxyMode !== 'nftables' || !isKnown || hasGateOn(gate, kubeProxy, facts)) return;
  yield fault(
    'spec.kubeProxy.proxyMode',
    `kube-proxy ${kubernetesVersion} does not start with nftables while the feature gate ${gate} is off`,
    `set ${gate}: "true" in featureGates beside it, or use iptables`,
  );
}
