import { confined, hardened, type ServiceRights } from '@kopsctl/node-plan/service-hardening.ts';

/**
 * At rest an agent uses at most 100 MiB. With more than this, it has been flooded or leaks, and the rest of the machine is worth
 * more than it.
 */
const MEMORY_MAX_BYTES = 512 * 1024 ** 2;

/**
 * The common unit of all long-running agents. protokube mounts etcd's volumes for the whole machine, and etcd-manager
 * works in them, so these must not have their own mount namespace (no ProtectSystem, PrivateTmp …). A negative
 * OOMScoreAdjust fails in a container without CAP_SYS_RESOURCE, and the unit would not start.
 */
export function agentService(options: {
  readonly description: string;
  readonly command: string;
  readonly configPath: string;
  /** root unless given. */
  readonly user?: string;
  readonly rights?: ServiceRights;
  /** The only folders that it writes to. Unless given, it is in the mount namespace of the machine. */
  readonly writable?: readonly string[];
  /** Folders in which it sees nothing; for agents with `writable`. */
  readonly unseen?: readonly string[];
  readonly memoryMaxBytes?: number;
  /** The unit without which it must not run. It is started after that one, and restarted with it. */
  readonly requires?: string;
}): string {
  return `[Unit]
Description=${options.description}
Wants=network-online.target
After=network-online.target
${options.requires === undefined ? '' : `Requires=${options.requires}\nAfter=${options.requires}\n`}# Written by nodeup; without it there is nothing to do yet.
ConditionPathExists=${options.configPath}
# An agent is never given up on.
StartLimitIntervalSec=0

[Service]
ExecStart=${options.command} --config ${options.configPath}
${options.user === undefined ? '' : `User=${options.user}\n`}Restart=always
RestartSec=2s
MemoryMax=${options.memoryMaxBytes ?? MEMORY_MAX_BYTES}
${hardened(options.rights)}${options.writable === undefined ? '' : confined(options.writable, options.unseen)}
[Install]
WantedBy=multi-user.target
`;
}
