import { identityOf, type EtcdUnit } from './unit-runner.ts';

const IDENTITY = 'X-Kops-Identity';

/**
 * The unit of one etcd. It lives on after etcd-manager, gets SIGTERM and half a minute before SIGKILL, and is bound to
 * its mount, so that it ends before the volume goes.
 */
export function printUnit(unit: EtcdUnit, environmentFile: string): string {
  return `[Unit]
Description=etcd member ${unit.lasting['ETCD_NAME'] ?? ''} (${unit.name}), kept by etcd-manager
RequiresMountsFor=${unit.mountPoint}
# Started by etcd-manager; when the machine goes down it ends before protokube, which lets go of the volume.
After=network.target protokube.service
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
`;
}

/** The identity that a unit file carries. */
export function identityIn(text: string): string | undefined {
  return new RegExp(`^${IDENTITY}=([0-9a-f]+)$`, 'm').exec(text)?.[1];
}

/** systemd.exec(5): in double quotes, with backslash, quote, dollar and backtick escaped. */
export function printEnvironment(unit: EtcdUnit): string {
  const all = { ...unit.lasting, ...unit.initial };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\$`]/g, (found) => `\\${found}`)}"`;
}
