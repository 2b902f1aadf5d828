import { printBootConfig } from '@kopsctl/node-plan/boot-config.ts';
import type { BootConfig } from '@kopsctl/node-plan/node-plan.ts';
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
  input: { readonly agents: AgentsDownload; readonly bootConfig: BootConfig },
  root = '',
): string {
  const { agents, bootConfig } = input;
  if (agents.urls.length === 0) throw new Error('the bootstrap script needs at least one URL of the agents');
  return [
    '#!/bin/sh',
    `# Makes this machine a node of ${oneLine(bootConfig.cluster)}, instance group ${oneLine(bootConfig.instanceGroup)}.`,
    'set -eu',
    'umask 022',
    '',
    `root=${quoted(root)}`,
    `sha256=${quoted(agents.sha256)}`,
    'each_mirror() {',
    ...agents.urls.map((url) => `  "$@" ${quoted(url)} && return 0`),
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
    BOOTSTRAP_STEPS,
  ].join('\n');
}

/** Quotes text as one word of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
