import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { driftLines } from '../follow/describe-drift.ts';
import { readMachineState } from '../follow/read-machine-state.ts';
import type { ValidationFailure } from './plan-validation.ts';

/**
 * In what machines differ from their plans, as their last checks found. A warning: they serve, and nothing says that what was
 * changed on them is wrong. Pure.
 */
export const driftWarnings = (nodes: readonly NodeStatus[]): readonly ValidationFailure[] =>
  nodes.flatMap(({ name, state }) => {
    const drift = state === undefined ? undefined : readMachineState(state)?.drift;
    const lines = drift === undefined ? [] : driftLines(drift);
    return lines.map((message): ValidationFailure => ({ kind: 'Node', name, message }));
  });
