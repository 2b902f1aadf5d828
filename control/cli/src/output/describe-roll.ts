import type { RollEvent } from '@kopsctl/actions/rolling/roll-events.ts';
import { seconds } from './progress.ts';

type MachineStep = Extract<RollEvent, { readonly type: 'machine-step' }>['step'];

const STEPS: Readonly<Record<MachineStep, string | undefined>> = {
  waiting: 'is put back, and waits',
  ask: undefined,
  detach: 'is detached from its group, which gets another machine',
  surplus: 'serves beside the machine that takes its place',
  cordon: 'gets no new pods',
  deregister: 'leaves the load balancers',
  drain: 'is drained',
  converge: 'is changed in place',
  delete: 'is deleted',
  make: 'is made again',
  validate: 'waiting until the cluster is valid',
  release: 'is put back',
  done: 'is done',
  failed: 'failed',
};

/** One line about a rolling update, or undefined where there is nothing to tell. */
export function describeRoll(event: RollEvent, startedMs: number): string | undefined {
  const at = seconds(event.atMs - startedMs);
  switch (event.type) {
    case 'roll-started':
      return `${at}  ${event.resumed ? 'resuming with' : 'rolling'} ${event.machines} machines`;
    case 'machine-step': {
      const text = STEPS[event.step];
      return text && `${at}  ${event.machine}  ${text}${event.failure === undefined ? '' : `: ${event.failure}`}`;
    }
    case 'blocked':
      return `${at}  waiting: ${event.why}`;
    case 'note':
      return `${at}  ${event.line}`;
    case 'roll-ended':
      return `${at}  ${event.replaced} replaced, ${event.failed} failed, ${event.left} left`;
  }
}
