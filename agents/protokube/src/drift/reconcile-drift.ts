import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { DriftConfig } from '@kopsctl/node-plan/agent-config.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { StateBoard } from '../state/state-board.ts';
import { FileWatchers } from './file-watchers.ts';
import { toldDrift } from './told-drift.ts';
import { type WatchedFiles, watchedFiles } from './watched-files.ts';

export interface DriftEnv {
  readonly board: StateBoard;
  readonly startUnit: (unit: string, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

/** Someone who changes one file often changes another in the same moment. */
const SETTLES_MS = 1_000;
/** A program that writes a file of the plan all the time must not keep the machine busy with checks. */
const AT_MOST_EVERY_MS = 30_000;
/** An event may be lost; the timer checks the machine in any case. */
const LOOK_AGAIN_MS = 10 * 60_000;

/**
 * Starts a check of this machine when a file of its plan changes, and reports what checks find. It begins once nodeup has
 * carried the plan out: until then, files change because nodeup writes them.
 */
export async function reconcileDrift(config: DriftConfig, env: DriftEnv, signal: AbortSignal): Promise<void> {
  await untilBooted(config.bootReport, signal);
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  try {
    // The first of them that fails ends the other.
    await Promise.all([tellChecks(config, env, both), checkOnChange(config, env, both)]);
  } finally {
    ended.abort();
  }
}

async function untilBooted(path: string, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  using watchers = new FileWatchers();
  watchers.add(fileAt(path), () => wake.ring());
  for (;;) {
    const report = await ifThere(readFile(path));
    if (report !== undefined && isOver(report)) return;
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}

function isOver(report: Buffer): boolean {
  const value: unknown = JSON.parse(report.toString('utf8'));
  return isRecord(value) && 'result' in value && value['result'] !== 'running';
}

/** Puts each report of a check on the board. */
async function tellChecks({ report: path }: DriftConfig, { board }: DriftEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  using watchers = new FileWatchers();
  watchers.add(fileAt(path), () => wake.ring());
  for (;;) {
    const report = await ifThere(readFile(path));
    if (report !== undefined) board.drift(toldDrift(report.toString('utf8')));
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}

/** Has the machine checked after each change of a file that its plan names. */
async function checkOnChange(config: DriftConfig, env: DriftEnv, signal: AbortSignal): Promise<void> {
  const { plan, service } = config;
  const wake = new Wake();
  for (;;) {
    const read = await ifThere(readFile(plan));
    const files = read === undefined ? new Map<string, ReadonlySet<string>>() : watchedFiles(read, plan);
    const planIsNew = new AbortController();
    const onPlan = (): void => {
      planIsNew.abort();
      wake.ring();
    };
    using watchers = new FileWatchers();
    watchers.add(files, () => wake.ring());
    watchers.add(fileAt(plan), onPlan);
    // After a while the folders are watched again: some may not have been there before.
    while (!planIsNew.signal.aborted && (await wake.wait(LOOK_AGAIN_MS, signal))) {
      await sleep(SETTLES_MS, undefined, { signal });
      // This check covers what has changed until now.
      await wake.wait(0, signal);
      env.log.info('check', { because: 'a file of the plan changed' });
      await env.startUnit(service, signal);
      await sleep(AT_MOST_EVERY_MS, undefined, { signal });
    }
  }
}

function fileAt(path: string): WatchedFiles {
  return new Map([[dirname(path), new Set([basename(path)])]]);
}
