import { printBootConfig } from '@kopsctl/node-plan/boot-config.ts';
import type { BootConfig } from '@kopsctl/node-plan/node-plan.ts';
import { quotedShellWord } from '@kopsctl/node-plan/shell-word.ts';
import { environmentAssignment } from '@kopsctl/node-plan/systemd-quoting.ts';
import { nodeupUnit } from '@kopsctl/systemd/nodeup.service.ts';

import { BOOTSTRAP_STEPS } from './bootstrap-steps.ts';

/** The agents' binary, for the architecture of the node plan. */
export interface AgentsDownload {
  /** Mirrors of the same file, tried in this order. */
  readonly urls: readonly string[];
  /** In hex. */
  readonly sha256: string;
}

/**
 * The user-data of a machine: a POSIX shell script that downloads and verifies the agents' binary, writes
 * /etc/kops/boot.json and starts nodeup. It contains no secret. It can be interrupted at any point and run again: it
 * writes each file atomically and skips what exists.
 *
 * @param root for tests: a folder that stands for the machine's root
 */
export function bootstrapScript(
  input: {
    readonly agents: AgentsDownload;
    readonly bootConfig: BootConfig;
    /** The environment of everything that reaches the Internet through a proxy. */
    readonly proxy?: Readonly<Record<string, string>>;
  },
  root = '',
): string {
  const { agents, bootConfig, proxy } = input;
  if (agents.urls.length === 0) throw new Error('the bootstrap script needs at least one URL of the agents');
  return [
    '#!/bin/sh',
    `# Makes this machine a node of ${oneLine(bootConfig.cluster)}, instance group ${oneLine(bootConfig.instanceGroup)}.`,
    'set -eu',
    'umask 022',
    '',
    `root=${quotedShellWord(root)}`,
    `sha256=${quotedShellWord(agents.sha256)}`,
    'each_mirror() {',
    ...agents.urls.map((url) => `  "$@" ${quotedShellWord(url)} && return 0`),
    '  return 1',
    '}',
    `boot_config() { cat <<'KOPS_BOOT_CONFIG'`,
    printBootConfig(bootConfig).trimEnd(),
    'KOPS_BOOT_CONFIG',
    '}',
    `nodeup_unit() { cat <<'KOPS_NODEUP_UNIT'`,
    nodeupUnit().trimEnd(),
    'KOPS_NODEUP_UNIT',
    '}',
    '',
    ...(proxy === undefined ? [] : proxySteps(proxy)),
    BOOTSTRAP_STEPS,
  ].join('\n');
}

/**
 * Makes the proxy known to the downloads here, every unit, people who log in, and the package managers (kops
 * pkg/model/resources/nodeup.go). systemd reads its file again, so that units that start from now on have it.
 */
function proxySteps(proxy: Readonly<Record<string, string>>): readonly string[] {
  const variables = Object.entries(proxy);
  const lines = (text: (name: string, value: string) => string) => variables.map(([name, value]) => text(name, value));
  return [
    ...lines((name, value) => `export ${name}=${quotedShellWord(value)}`),
    'mkdir -p "$root/etc/systemd/system.conf.d"',
    `cat >"$root/etc/systemd/system.conf.d/50-kops-proxy.conf" <<'KOPS_PROXY'`,
    '[Manager]',
    ...lines((name, value) => `DefaultEnvironment=${environmentAssignment(name, value)}`),
    'KOPS_PROXY',
    `grep -q '^http_proxy=' "$root/etc/environment" 2>/dev/null || cat >>"$root/etc/environment" <<'KOPS_PROXY'`,
    ...lines((name, value) => `${name}=${value}`),
    'KOPS_PROXY',
    'if [ -d "$root/etc/apt/apt.conf.d" ]; then',
    `  echo ${quotedShellWord(`Acquire::http::Proxy "${proxy['http_proxy'] ?? ''}";`)} >"$root/etc/apt/apt.conf.d/30proxy"`,
    'fi',
    'if [ -f "$root/etc/yum.conf" ] && ! grep -q ^proxy= "$root/etc/yum.conf"; then',
    `  echo ${quotedShellWord(`proxy=${proxy['http_proxy'] ?? ''}`)} >>"$root/etc/yum.conf"`,
    'fi',
    'systemctl daemon-reexec',
    '',
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
