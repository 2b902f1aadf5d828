import { RESTRAINED } from '@kopsctl/node-plan/service-hardening.ts';

/**
 * nodeup-adopt@HASH.service: makes the machine follow the plan of that hash from now on, and then has nodeup carry it out.
 * protokube starts it. A check under way looks for what the former plan says, and is ended.
 */
export const nodeupAdoptUnit = (): string => `[Unit]
Description=kops nodeup: makes this machine follow the node plan %i
ConditionPathExists=/etc/kops/boot.json

[Service]
Type=oneshot
ExecStartPre=-/bin/systemctl stop nodeup-check.service
ExecStart=/opt/kops/bin/nodeup --adopt %i --config /etc/kops/boot.json
ExecStartPost=/bin/systemctl --no-block restart nodeup.service
TimeoutStartSec=2min
MemoryMax=1G
${RESTRAINED}`;
