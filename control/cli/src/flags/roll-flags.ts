import { createInterface } from 'node:readline/promises';
import type { RollRequest } from '@kopsctl/actions/roll-cluster.ts';
import { parseDuration } from './duration.ts';
import { roleOf } from './machine-role.ts';
import { writeErr } from '../output/terminal.ts';
import { ROLL_DEFAULTS } from './roll-defaults.ts';
import { usageError } from './usage-error.ts';

/** The flags about how machines are replaced; each command has some of them. */
export interface RollFlags {
  readonly yes?: boolean;
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

/** What the flags say. */
export function rollRequestOf(options: RollFlags): Omit<RollRequest, 'cluster' | 'yes'> {
  const ms = (text: string | undefined, fallback: string, flag: string) => parseDuration(text ?? fallback, flag);
  const nodeMs = ms(options.nodeInterval, ROLL_DEFAULTS.pause, '--node-interval');
  const controlPlaneInterval = options.controlPlaneInterval ?? options.masterInterval;
  return {
    force: options.force ?? false,
    cloudOnly: options.cloudonly ?? false,
    interactive: options.interactive ?? false,
    inPlace: options.inPlace ?? false,
    instanceGroups: options.instanceGroup,
    roles: options.instanceGroupRoles?.map((text) => roleOf(text)),
    budget: amountOf(options.budget ?? ROLL_DEFAULTS.budget),
    drainTimeoutMs: ms(options.drainTimeout, ROLL_DEFAULTS.drainTimeout, '--drain-timeout'),
    postDrainDelayMs: ms(options.postDrainDelay, ROLL_DEFAULTS.pause, '--post-drain-delay'),
    validationTimeoutMs: ms(options.validationTimeout, ROLL_DEFAULTS.validationTimeout, '--validation-timeout'),
    validateCount: countOf(options.validateCount ?? ROLL_DEFAULTS.validateCount),
    failOnDrainError: options.failOnDrainError ?? true,
    failOnValidateError: options.failOnValidateError ?? true,
    intervalsMs: {
      Bastion: ms(options.bastionInterval, ROLL_DEFAULTS.pause, '--bastion-interval'),
      ControlPlane: ms(controlPlaneInterval, ROLL_DEFAULTS.pause, '--control-plane-interval'),
      APIServer: nodeMs,
      Node: nodeMs,
    },
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
