import type { ClusterSpec } from '../cluster.ts';
import { isOn } from '../feature-gate.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { CRASH_LOOP_GATE, kubernetesFacts, knowsSetting } from '../kubernetes-versions.ts';
import { isControlPlane } from '../names.ts';
import { fault, type Fault } from './fault.ts';

const LIMIT = 'crashLoopBackOffMaxContainerRestartPeriod';

/** Refuses a limit on the back-off of containers where its feature gate is off: kubelet would exit. */
export function* validateCrashLoopLimit(spec: ClusterSpec, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const facts = kubernetesFacts(spec.kubernetesVersion ?? '');
  if (facts === undefined || !knowsSetting(facts, 'kubelet', LIMIT)) return;
  const told = new Set<string>();
  for (const group of groups) {
    const section = isControlPlane(group) ? 'masterKubelet' : 'kubelet';
    const [ofRole, ofGroup] = [spec[section], group.spec.kubelet];
    if ((ofGroup?.[LIMIT] ?? ofRole?.[LIMIT]) === undefined) continue;
    const gate = { ...ofRole?.featureGates, ...ofGroup?.featureGates }[CRASH_LOOP_GATE];
    if (gate === undefined ? facts.crashLoopLimit : isOn(gate)) continue;
    const isOfGroup = ofGroup?.[LIMIT] !== undefined;
    const path = `spec.${isOfGroup ? 'kubelet' : section}.${LIMIT}`;
    // Several groups may share the setting of their role.
    if (!isOfGroup && told.has(path)) continue;
    told.add(path);
    yield {
      ...fault(
        path,
        `kubelet ${spec.kubernetesVersion} does not start with it while the feature gate ${CRASH_LOOP_GATE} is off`,
        `set ${CRASH_LOOP_GATE}: "true" in featureGates beside it, or remove this field`,
      ),
      ...(isOfGroup && { instanceGroup: group.metadata.name }),
    };
  }
}
