import { setTimeout as sleep } from 'node:timers/promises';
import { jittered, Wake } from '@kopsctl/agent/wake.ts';
import { isAttestedRole } from '@kopsctl/node-identity/attested-role.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import { type CallEnd, pauseAfter } from './plan-call.ts';

/** The list rings when it changes; this is for the case that nothing rings. */
const LOOK_AGAIN_MS = 60_000;

/** Calls a machine once. It is doubtful if it has not proven itself since a call in which it should have. */
export type Call = (machine: CloudMachine, isDoubtful: boolean, signal: AbortSignal) => Promise<CallEnd>;

type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const pauseJittered: Pause = (ms, signal) => sleep(jittered(ms), undefined, { signal });

/** Calls every machine that has no key of a CA, again and again, as long as the cloud lists it. */
export async function callMachines(
  machines: Latest<CloudMachine>,
  call: Call,
  signal: AbortSignal,
  pause: Pause = pauseJittered,
): Promise<void> {
  using wake = new Wake();
  machines.ringOnChange(wake);
  const calling = new Map<string, AbortController>();
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  try {
    while (!both.aborted) {
      const wanted = new Map((machines.items ?? []).filter(isCalled).map((machine) => [keyOf(machine), machine]));
      for (const [key, ended] of calling) {
        if (wanted.has(key)) continue;
        ended.abort();
        calling.delete(key);
      }
      for (const [key, machine] of wanted) {
        if (calling.has(key)) continue;
        // Its own signal alone: one that follows a signal of the whole agent is kept as long as that one (nodejs/node#54614).
        const ended = new AbortController();
        calling.set(key, ended);
        callOne(machine, call, ended.signal, pause).catch((error: unknown) => {
          if (!ended.signal.aborted) failed.abort(error);
        });
      }
      await wake.wait(LOOK_AGAIN_MS, both);
    }
  } finally {
    for (const ended of calling.values()) ended.abort();
  }
}

const isCalled = ({ role, running, address }: CloudMachine): boolean =>
  running && address !== '' && isAttestedRole(role);

/** A machine whose address or group has changed counts as another one. */
const keyOf = ({ instanceId, launchedMs = 0, address, instanceGroup, nodeName }: CloudMachine): string =>
  JSON.stringify([instanceId, launchedMs, address, instanceGroup, nodeName]);

async function callOne(machine: CloudMachine, call: Call, signal: AbortSignal, pause: Pause): Promise<void> {
  const knownSinceMs = performance.now();
  /** How often calls have ended in each way since the machine last talked. */
  const times = new Map<CallEnd['end'], number>();
  while (!signal.aborted) {
    const last = await call(machine, times.has('unproven'), signal);
    if (last.end === 'talked') times.clear();
    times.set(last.end, (times.get(last.end) ?? 0) + 1);
    const history = { last, times: times.get(last.end) ?? 1, knownForMs: performance.now() - knownSinceMs };
    await pause(pauseAfter(history), signal);
  }
}
