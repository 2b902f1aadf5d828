import { createInterface } from 'node:readline/promises';
import { type RollRequest, rollCluster } from '@kopsctl/actions/roll-cluster.ts';
import { actionContext } from '../context.ts';
import { parseDuration } from '../duration.ts';
import type { GlobalOptions } from '../global-options.ts';
import { roleOf } from '../machine-role.ts';
import { printRolling } from '../print-rolling.ts';
import { writeDocument, writeErr } from '../terminal.ts';
import { usageError } from '../usage-error.ts';

export interface RollingUpdateOptions {
  readonly yes?: boolean;
  /** Not a flag: another command continues with what was asked of the rolling update. */
  readonly resumes?: boolean;
  readonly force?: boolean;
  readonly cloudonly?: boolean;
  readonly interactive?: boolean;
  readonly inPlace?: boolean;
  readonly instanceGroup?: readonly string[];
  readonly instanceGroupRoles?: readonly string[];
  readonly budget?: string;
  readonly drainTimeout?: string;
  readonly postDrainDelay?: string;
  readonly validationTimeout?: string;
  readonly validateCount?: string;
  readonly bastionInterval?: string;
  readonly nodeInterval?: string;
  readonly controlPlaneInterval?: string;
  readonly masterInterval?: string;
  readonly failOnDrainError?: boolean;
  readonly failOnValidateError?: boolean;
  readonly output?: 'table' | 'json';
  readonly assets?: string;
  /** A duration. */
  readonly admin?: string;
  readonly apiServer?: string;
  readonly useKubeconfig?: boolean;
}

/** Replaces outdated machines, or shows them. */
export async function rollingUpdate(
  global: GlobalOptions,
  cluster: string | undefined,
  options: RollingUpdateOptions,
  env: NodeJS.ProcessEnv,
  abandons = false,
): Promise<number> {
  const { yes = false, output = 'table' } = options;
  const context = actionContext(global, env, { tells: yes ? 'changes' : 'nothing', endsInOrder: true });
  const { onEvent } = context;
  const told: typeof context =
    output === 'table'
      ? context
      : {
          ...context,
          onEvent: (event) => {
            if (event.type === 'roll') writeDocument(`${JSON.stringify(event.event)}\n`);
            else if (event.type === 'note') onEvent(event);
          },
        };
  const rolling = await rollCluster(told, { ...rollRequestOf(options), cluster, yes, abandons });
  return printRolling(global, rolling, { yes, output });
}

/** What the flags say, with the defaults of `rolling-update cluster`. */
export function rollRequestOf(options: RollingUpdateOptions): Omit<RollRequest, 'cluster' | 'yes'> {
  const ms = (text: string | undefined, fallback: string, flag: string) => parseDuration(text ?? fallback, flag);
  const nodeMs = ms(options.nodeInterval, '0s', '--node-interval');
  const controlPlaneInterval = options.controlPlaneInterval ?? options.masterInterval;
  return {
    force: options.force ?? false,
    cloudOnly: options.cloudonly ?? false,
    interactive: options.interactive ?? false,
    inPlace: options.inPlace ?? false,
    instanceGroups: options.instanceGroup,
    roles: options.instanceGroupRoles?.map((text) => roleOf(text)),
    budget: amountOf(options.budget ?? '25%'),
    drainTimeoutMs: ms(options.drainTimeout, '15m', '--drain-timeout'),
    postDrainDelayMs: ms(options.postDrainDelay, '0s', '--post-drain-delay'),
    validationTimeoutMs: ms(options.validationTimeout, '15m', '--validation-timeout'),
    validateCount: countOf(options.validateCount ?? '2'),
    failOnDrainError: options.failOnDrainError ?? true,
    failOnValidateError: options.failOnValidateError ?? true,
    intervalsMs: {
      Bastion: ms(options.bastionInterval, '0s', '--bastion-interval'),
      ControlPlane: ms(controlPlaneInterval, '0s', '--control-plane-interval'),
      APIServer: nodeMs,
      Node: nodeMs,
    },
    resumes: options.resumes,
    assets: options.assets,
    choice: { apiServer: options.apiServer, usesKubeconfig: options.useKubeconfig },
    lifetimeMs: options.admin === undefined ? undefined : parseDuration(options.admin, '--admin'),
    ask: ({ name, instanceGroup, why }, signal) =>
      askPerson(`Replace ${name} of ${instanceGroup} (${why})? [y/N] `, signal),
  };
}

function countOf(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw unreadable('--validate-count', text, 'use a whole number; 0 skips the validation');
}

function amountOf(text: string): string {
  if (/^[1-9]\d*%?$/.test(text)) return text;
  throw unreadable('--budget', text, 'use a number of machines, such as 2, or a share of them, such as 25%');
}

const unreadable = (flag: string, text: string, next: string) =>
  usageError({ what: `read ${flag}`, why: `it is '${text}'`, next });

async function askPerson(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin });
  writeErr(question);
  try {
    return /^y(es)?$/i.test((await terminal.question('', { signal })).trim());
  } finally {
    terminal.close();
  }
}
