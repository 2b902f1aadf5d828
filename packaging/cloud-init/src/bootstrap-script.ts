import { printBootConfig } from '@kopsctl/node-plan/boot-config.ts';
import type { BootConfig } from '@kopsctl/node-plan/node-plan.ts';
import { nodeupUnit } from '@kopsctl/systemd/nodeup.service.ts';

import { BOOTSTRAP_STEPS } from './bootstrap-steps.ts';

/** The agents' binary, of the architecture that the node plan is for. */
export interface AgentsDownload {
  /** Mirrors of the same bytes, tried in this order. */
  readonly urls: readonly string[];
  /** Hex; without it, each mirror is asked for the hash that it publishes beside the binary, `<url>.sha256`. */
  readonly sha256?: string;
}

/**
 * The user-data of a machine: a POSIX shell script that downloads the agents' binary, verifies it, writes
 * /etc/kops/boot.json and starts nodeup. It holds no secret. It may be cut off anywhere and run again: each of its
 * results appears whole or not at all, and what is there already is not made twice.
 *
 * @param root for tests: a folder that stands for the machine's root
 */
export function bootstrapScript(
  input: { readonly agents: AgentsDownload; readonly bootConfig: BootConfig },
  root = '',
): string {
  const { agents, bootConfig } = input;
  if (agents.urls.length === 0) throw new Error('a machine cannot be bootstrapped without a URL of the agents');
  return [
    '#!/bin/sh',
    `# Makes this machine a node of ${oneLine(bootConfig.cluster)}, instance group ${oneLine(bootConfig.instanceGroup)}.`,
    'set -eu',
    'umask 022',
    '',
    `root=${quoted(root)}`,
    `sha256=${quoted(agents.sha256 ?? '')}`,
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

/** A word of the shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
