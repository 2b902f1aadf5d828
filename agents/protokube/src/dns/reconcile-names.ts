import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { reconcileDns } from '@kopsctl/dns/reconcile-dns.ts';
import type { DnsProvider } from '@kopsctl/dns/zone.ts';
import type { ProtokubeConfig, ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import { NamedObjects } from './named-objects.ts';
import type { IgnoredNames } from './trusted-objects.ts';
import { wantedNames } from './wanted-names.ts';

/** The zone is listed again after this time even if nothing has changed here: somebody may have edited it. */
const LOOK_AGAIN_MS = 5 * 60_000;

/** See trusted-objects.ts. */
const NAME_BY_LABEL =
  'set labels with these keys instead (for nodes: spec.nodeLabels of their instance group): a kubelet can write annotations';

/** A name has at most 253 characters; an annotation, which a stranger may have written, 256 KiB. */
const MAX_TOLD = 300;

export interface NamesEnv {
  readonly kube: KubeClient;
  readonly machines: Latest<CloudMachine>;
  readonly volumes: Latest<CloudVolume>;
  readonly leadership: Leadership;
  readonly openZone: (signal: AbortSignal) => Promise<DnsProvider>;
  readonly log: Log;
}

/** Keeps the cluster's names in its zone while this machine leads. */
export async function reconcileNames(
  config: Pick<ProtokubeConfig, 'cluster' | 'volumes'>,
  zone: ZoneConfig,
  env: NamesEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  env.machines.ringOnChange(wake);
  env.volumes.ringOnChange(wake);
  while (!signal.aborted) {
    await env.leadership.whileLeading(signal, (term) => keepNames(config, zone, wake, env, term));
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}

/** Runs until it fails or the signal aborts, and always rejects. */
async function keepNames(
  config: Pick<ProtokubeConfig, 'cluster' | 'volumes'>,
  zone: ZoneConfig,
  wake: Wake,
  env: NamesEnv,
  signal: AbortSignal,
): Promise<void> {
  const provider = await env.openZone(signal);
  const objects = zone.objects && new NamedObjects(zone.objects);
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const following = objects?.follow(env.kube, wake, both);
  const writing = writeNames(config, zone, { ...env, wake, provider, objects }, both);
  try {
    await Promise.race([writing, ...(following === undefined ? [] : [following])]);
  } finally {
    ended.abort();
    await Promise.allSettled([writing, following]);
  }
}

async function writeNames(
  config: Pick<ProtokubeConfig, 'cluster' | 'volumes'>,
  zone: ZoneConfig,
  env: NamesEnv & { readonly wake: Wake; readonly provider: DnsProvider; readonly objects: NamedObjects | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { machines, volumes, objects, provider, wake, log } = env;
  let written = '';
  let writtenMs = 0;
  let told: ReadonlySet<string> = new Set();
  let toldIgnored: ReadonlySet<string> = new Set();
  while (!signal.aborted) {
    const known = objects === undefined ? undefined : objects.all;
    const isWhole =
      machines.items !== undefined && volumes.items !== undefined && (objects === undefined || known !== undefined);
    if (isWhole) {
      const things = { machines: machines.items, volumes: volumes.items, objects: known };
      const { wishes, ignored } = wantedNames(config, zone, things);
      toldIgnored = tellIgnored(ignored, toldIgnored, log);
      const text = JSON.stringify(wishes);
      // Listing a zone is not free (Route53 allows an account five calls a second), and most events concern no name.
      if (text !== written || performance.now() - writtenMs >= LOOK_AGAIN_MS) {
        const { done, blocked } = await reconcileDns(provider, wishes, signal);
        [written, writtenMs] = [text, performance.now()];
        for (const change of done) log.info('record changed', { change });
        const faults = new Map(blocked.map((one) => [JSON.stringify(one), one]));
        for (const [key, { type, name, why }] of faults) {
          if (!told.has(key)) log.error('record left unchanged', { type, name, why });
        }
        told = new Set(faults.keys());
      }
    }
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}

/** Logs once for each object that its names are ignored, and again after they were gone. Returns the objects logged so far. */
function tellIgnored(ignored: readonly IgnoredNames[], told: ReadonlySet<string>, log: Log): ReadonlySet<string> {
  for (const { object, names } of ignored) {
    if (told.has(object)) continue;
    log.warn('names in annotations ignored', { object, names: names.slice(0, MAX_TOLD), next: NAME_BY_LABEL });
  }
  return new Set(ignored.map(({ object }) => object));
}
