import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Log } from '@kopsctl/agent/log.ts';
import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import { adoptUnit, parseWantedPlan, WANTED_PLAN_ANNOTATION, type WantedPlan } from '@kopsctl/node-plan/in-place.ts';
import type { BootState } from '@kopsctl/node-plan/machine-state.ts';
import type { StateBoard } from '../state/state-board.ts';

export interface PlanEnv {
  readonly kube: KubeClient;
  readonly board: StateBoard;
  readonly startUnit: (unit: string, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

/** The Node is watched; this retries what failed. */
const LOOK_AGAIN_MS = 5 * 60_000;

/** Takes over another plan when this machine's Node asks for it. nodeup decides whether the machine can become what it says. */
export async function reconcilePlan(
  { nodeName, bootReport }: { readonly nodeName: string; readonly bootReport: string },
  { kube, board, startUnit, log }: PlanEnv,
  signal: AbortSignal,
): Promise<void> {
  const act = async (wishes: readonly WantedPlan[], inner: AbortSignal): Promise<void> => {
    const [wish] = wishes;
    const boot = board.state.boot ?? (await readBootState(bootReport));
    // A machine whose plan is not the one that the wish replaces is another machine, or has become what was wanted.
    if (wish === undefined || boot?.planHash !== wish.from) return;
    log.info('another plan', { plan: wish.to, former: wish.from });
    await startUnit(adoptUnit(wish.to), inner);
  };
  const path = `/api/v1/nodes?fieldSelector=${encodeURIComponent(`metadata.name=${nodeName}`)}`;
  await actOnObjects(kube, { path, parse: wishOf, wake: new Wake(), lookAgainMs: LOOK_AGAIN_MS, act }, signal);
}

function wishOf(node: unknown): WantedPlan | undefined {
  const wish = asString(asRecord(asRecord(asRecord(node)['metadata'])['annotations'])[WANTED_PLAN_ANNOTATION]);
  return wish === undefined ? undefined : parseWantedPlan(wish);
}

/** Reports how nodeup carries out the plan, as its report on this machine says. */
export async function tellBoot(path: string, board: StateBoard, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
    if (name === null || name === basename(path)) wake.ring();
  });
  try {
    for (;;) {
      const boot = await readBootState(path);
      if (boot !== undefined) board.boot(boot);
      await wake.wait(LOOK_AGAIN_MS, signal);
    }
  } finally {
    watcher.close();
  }
}

async function readBootState(path: string): Promise<BootState | undefined> {
  const text = await ifThere(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  const from = new FieldReader(JSON.parse(text));
  const boot: BootState = {
    planHash: from.text('planHash'),
    result: from.word('result', ['running', 'done', 'failed']),
  };
  from.refuseFaults();
  return boot;
}
