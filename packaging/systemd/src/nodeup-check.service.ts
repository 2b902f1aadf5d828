import { CHECK_SERVICE } from '@kopsctl/node-plan/drift-report.ts';
import { RESTRAINED } from '@kopsctl/node-plan/service-hardening.ts';

/** Often enough that a person is told on the same day, and that a thousand machines take no notice of it. */
const EVERY_MINUTES = 10;
/** So that the machines of a cluster do not look at the same moment. */
const SPREAD_MINUTES = 2;

/** Holds NODEUP_CHECK_FLAGS. It is read at each start, so that a change of it needs no reload of the unit. */
export const CHECK_ENVIRONMENT = '/etc/kops/nodeup-check.env';

/** @param repairs whether the machine is made to match its plan again */
export const checkEnvironment = ({ repairs }: { readonly repairs: boolean }): string =>
  `NODEUP_CHECK_FLAGS=${repairs ? '--repair' : ''}\n`;

/**
 * nodeup-check.service: compares the machine with its node plan once. protokube starts it when a file of the plan changes.
 * It waits for nodeup, which may be about to make the machine match another plan.
 */
export const nodeupCheckUnit = (): string => `[Unit]
Description=kops nodeup: looks whether this machine still is what its node plan says
After=nodeup.service
ConditionPathExists=/etc/kops/boot.json

[Service]
Type=oneshot
EnvironmentFile=${CHECK_ENVIRONMENT}
ExecStart=/opt/kops/bin/nodeup --check $NODEUP_CHECK_FLAGS --config /etc/kops/boot.json
# A repair may have to download something.
TimeoutStartSec=30min
# What a repair starts must outlive it.
KillMode=process
# Everything else on this machine is more urgent.
Nice=10
IOSchedulingClass=idle
MemoryMax=1G
${RESTRAINED}`;

/** nodeup-check.timer: starts the check now and then, because not all that a plan says is a file. */
export const nodeupCheckTimer = (): string => `[Unit]
Description=kops nodeup: looks now and then whether this machine still is what its node plan says

[Timer]
Unit=${CHECK_SERVICE}
OnActiveSec=${EVERY_MINUTES}min
OnUnitInactiveSec=${EVERY_MINUTES}min
RandomizedDelaySec=${SPREAD_MINUTES}min
AccuracySec=1min

[Install]
WantedBy=timers.target
`;
