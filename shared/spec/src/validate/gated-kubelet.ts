import type { ClusterSpec, KubeletConfig } from '../cluster.ts';
import { parseDurationMs } from '../duration.ts';
import { hasGateOn } from '../feature-gate.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { kubernetesFacts, type KubernetesFacts, knowsSetting, type NeededGate } from '../kubernetes-versions.ts';
import { isControlPlane } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** A setting with which kubelet exits while its feature gate is off. */
interface GatedSetting {
  readonly field:
    | 'cpuCFSQuotaPeriod'
    | 'crashLoopBackOffMaxContainerRestartPeriod'
    | 'imageMaximumGCAge'
    | 'memorySwapBehavior'
    | 'seccompDefault';
  readonly gate: NeededGate;
  /** A duration that is the same as no value. */
  readonly usualMs?: number;
}

/**
 * All are checked by kubelet when it starts (k8s.io/kubernetes pkg/kubelet/apis/config/validation; 1.22 to 1.24:
 * cmd/kubelet/app/server.go for seccompDefault).
 */
const GATED: readonly GatedSetting[] = [
  { field: 'crashLoopBackOffMaxContainerRestartPeriod', gate: 'KubeletCrashLoopBackOffMax' },
  { field: 'cpuCFSQuotaPeriod', gate: 'CustomCPUCFSQuotaPeriod', usualMs: 100 },
  { field: 'imageMaximumGCAge', gate: 'ImageMaximumGCAge', usualMs: 0 },
  { field: 'memorySwapBehavior', gate: 'NodeSwap' },
  { field: 'seccompDefault', gate: 'SeccompDefault' },
];

/** Refuses such settings where the gate is off, by what a group's machines have of their role and of the group. */
export function* validateGatedKubelet(spec: ClusterSpec, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const facts = kubernetesFacts(spec.kubernetesVersion ?? '');
  if (facts === undefined) return;
  for (const setting of GATED) {
    if (knowsSetting(facts, 'kubelet', setting.field)) yield* faultsOf(setting, spec, groups, facts);
  }
}

function* faultsOf(
  { field, gate, usualMs }: GatedSetting,
  spec: ClusterSpec,
  groups: readonly InstanceGroup[],
  facts: KubernetesFacts,
): Iterable<Fault> {
  const told = new Set<string>();
  for (const group of groups) {
    const section = isControlPlane(group) ? 'masterKubelet' : 'kubelet';
    const [ofRole, ofGroup]: readonly (KubeletConfig | undefined)[] = [spec[section], group.spec.kubelet];
    const value = ofGroup?.[field] ?? ofRole?.[field];
    if (value === undefined || value === '' || value === false) continue;
    if (usualMs !== undefined && parseDurationMs(String(value)) === usualMs) continue;
    if (hasGateOn(gate, { featureGates: { ...ofRole?.featureGates, ...ofGroup?.featureGates } }, facts)) continue;
    const isOfGroup = ofGroup?.[field] !== undefined;
    const path = `spec.${isOfGroup ? 'kubelet' : section}.${field}`;
    // Several groups may share the setting of their role.
    if (!isOfGroup && told.has(path)) continue;
    told.add(path);
    yield {
      ...fault(
        path,
        `kubelet ${spec.kubernetesVersion} does not start with it while the feature gate ${gate} is off`,
        `set ${gate}: "true" in featureGates beside it, or remove this field`,
      ),
      ...(isOfGroup && { instanceGroup: group.metadata.name }),
    };
  }
}
