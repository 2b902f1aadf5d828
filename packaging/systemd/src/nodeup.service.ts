import { RESTRAINED } from '@kopsctl/node-plan/service-hardening.ts';

/**
 * nodeup.service: converges the machine to its node plan at every boot, and retries until it succeeds. The user-data
 * starts it the first time; the unit must not be ordered after cloud-init, which is still running then.
 */
export function nodeupUnit(): string {
  return `[Unit]
Description=kops nodeup: makes this machine what its node plan says
Wants=network-online.target
After=network-online.target
ConditionPathExists=/etc/kops/boot.json
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/kops/bin/nodeup --config /etc/kops/boot.json
# nodeup has deadlines of its own for each task.
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=5s
# What nodeup starts by itself must outlive it.
KillMode=process
# nodeup streams what it downloads and unpacks; a package manager beside it takes a few hundred MiB.
MemoryMax=1G
${RESTRAINED}
[Install]
WantedBy=multi-user.target
`;
}
