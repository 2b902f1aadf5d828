import { etcdQuotaBytes, QUOTA_SETTING } from '@kopsctl/node-plan/etcd-quota.ts';
import { COMPILES_NOTHING, confined, hardened } from '@kopsctl/node-plan/service-hardening.ts';
import { environmentFileValue } from '@kopsctl/node-plan/systemd-quoting.ts';
import { identityOf, type EtcdUnit } from './unit-runner.ts';

/** Entries of the log that members have not snapshotted yet, and answers to large lists, with room to spare. */
const HEAP_BYTES = 2 * 1024 ** 3;

/**
 * etcd maps its database, holds an index of its keys, and copies what it answers. The kernel can take
 * mapped pages back, so an etcd that needs more than twice its quota is one that no cluster is served by.
 */
const memoryMaxBytes = ({ lasting }: EtcdUnit): number => 2 * etcdQuotaBytes(lasting[QUOTA_SETTING]) + HEAP_BYTES;

const IDENTITY = 'X-Kops-Identity';

/**
 * The unit file of one etcd. The only right of root that etcd needs is that to its own files, and it can write only to its volume.
 * The unit outlives etcd-manager, gets SIGTERM half a minute before SIGKILL, and is bound to its mount, so that it stops before
 * the volume is unmounted.
 */
export function printUnit(unit: EtcdUnit, environmentFile: string): string {
  return `[Unit]
Description=etcd member ${unit.lasting['ETCD_NAME'] ?? ''} (${unit.name}), managed by etcd-manager
RequiresMountsFor=${unit.mountPoint}
# etcd-manager starts this unit. On shutdown it stops before protokube, which detaches the volume, and after etcd-manager,
# which hands over the leadership.
After=network.target protokube.service
Before=etcd-manager.service
StartLimitIntervalSec=0
${IDENTITY}=${identityOf(unit)}

[Service]
Type=exec
EnvironmentFile=${environmentFile}
ExecStart=${unit.binary}
Restart=always
RestartSec=1
KillSignal=SIGTERM
TimeoutStopSec=30
LimitNOFILE=65536
# For ETCD_EXPERIMENTAL_MEMORY_MLOCK.
LimitMEMLOCK=infinity
MemoryMax=${memoryMaxBytes(unit)}
${hardened()}${confined([unit.mountPoint])}${COMPILES_NOTHING}`;
}

/** The identity in a unit file; undefined if it names none. */
export function identityIn(text: string): string | undefined {
  return new RegExp(`^${IDENTITY}=([0-9a-f]+)$`, 'm').exec(text)?.[1];
}

/**
 * Whether the etcd of this unit file keeps its data when it is killed. After SIGKILL, etcd 3.5.0 to 3.5.2 may differ from the
 * other members without noticing (etcd-io/etcd issue 13766).
 */
export const survivesKill = (text: string): boolean => !/^ExecStart=.*\/etcd-v3\.5\.[012]\/etcd$/m.test(text);

/** The environment file of a unit. */
export function printEnvironment(unit: EtcdUnit): string {
  const all = { ...unit.lasting, ...unit.initial };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${environmentFileValue(value)}\n`)
    .join('');
}
