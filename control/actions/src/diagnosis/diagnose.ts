import type { GroupSize } from '../validate/group-size.ts';
import { certificateFindings } from './expired-certificates.ts';
import { clockFindings } from './clock.ts';
import { LEAF_WARN_BEFORE_MS } from '../validate/certificate-renewal.ts';
import { isReady } from '../validate/plan-validation.ts';
import { mayRun } from '@kopsctl/model/machine-state.ts';
import { UNIT_STOPPED } from '@kopsctl/node-plan/machine-state.ts';
import type { KeptReport } from '../follow/read-machine-report.ts';
import { readMachineState } from '../follow/read-machine-state.ts';
import { type Finding, isKnown, isReadyNow, type NodeEvidence, type NodeObjects } from './evidence.ts';
import { because, MAX_LINES } from './because.ts';
import { linesSince, saidBy } from './journal.ts';
import { causeOf } from './known-causes.ts';
import { isCloudAsked, ownAccessFindings } from './own-access.ts';
import { placementFindings } from './placement.ts';
import { repeatedBootFindings } from './repeated-boot.ts';
import { silentApiFindings } from './silent-api.ts';
import { silentForMs, silentKubelet } from './stale-lease.ts';

/** A boot that has not ended by then is stuck: the slowest that was seen compiled nothing and took three minutes. */
const STUCK_AFTER_MS = 10 * 60_000;
/** etcd, signatures of requests and certificates tolerate no more. */
const WRONG_CLOCK_MS = 5 * 60_000;

const STEPS = [
  ofMachine,
  ofRevocation,
  ofClock,
  ofBoot,
  ofCertificates,
  silentApiFindings,
  ofRegistration,
  ofUnits,
  ofNode,
];

/**
 * Why a node is not Ready, the likeliest cause first; empty if nothing is wrong. The first step of its life that failed
 * explains those after it: a machine that is not there boots nothing, and one that has not booted registers no Node. What this
 * computer could not ask comes before all of them. Pure.
 */
export function diagnose(evidence: NodeEvidence): readonly Finding[] {
  const own = ownAccessFindings(evidence);
  const steps = isBastion(evidence) ? [ofMachine] : STEPS;
  for (const step of steps) {
    const found = step(evidence);
    if (found.length > 0) return [...own, ...found];
  }
  return isBastion(evidence) ? own : [...own, ...ofParts(evidence)];
}

/** It runs no nodeup and gets no Node. */
const isBastion = ({ machine }: NodeEvidence): boolean => isKnown(machine) && machine.role === 'Bastion';

/** Why an instance group lacks machines: a machine that was never made has no name to ask about. Empty if it lacks none. Pure. */
export function diagnoseGroup(group: string, { found, wanted, shortfall }: GroupSize): readonly Finding[] {
  if (wanted === undefined) {
    const next = '`kopsctl update cluster --yes` makes it';
    return [{ what: `the cloud has no group for the instance group ${group}`, because: [], next }];
  }
  if (found >= wanted) return [];
  return [
    because(
      `the cloud has ${found} of ${wanted} machines of the instance group ${group}`,
      shortfall === undefined ? [] : [shortfall],
      'wait if machines were just asked for; otherwise look at the group and its latest activities in the cloud',
    ),
  ];
}

function ofMachine({ node, machine, report, kept, objects }: NodeEvidence): readonly Finding[] {
  if (machine === undefined) {
    const left = [
      ...(report === undefined ? [] : ['a machine of that name has booted before']),
      ...(isKnown(objects) && objects.node !== undefined ? ['its Node is still there'] : []),
      ...(kept === undefined ? [] : lastWords(kept)),
    ];
    return [
      {
        what: `the cloud has no machine ${node}`,
        because: left,
        next: 'list the machines with `kopsctl get nodes`; `kopsctl update cluster --yes` makes what is missing',
      },
    ];
  }
  if (!isKnown(machine) || mayRun(machine.state)) return [];
  return [
    {
      what: `the machine is ${machine.state}`,
      because: [],
      next: 'start it in its cloud, or replace it with `kopsctl delete instance NODE --yes`',
    },
  ];
}

/** What a machine stored about itself for when it is gone. */
const lastWords = ({ writtenAt, state: { units }, errors }: KeptReport): readonly string[] => [
  ...Object.entries(units).map(([unit, trouble]) => `at ${writtenAt}, ${unit} did not run there, ${trouble}`),
  ...errors.slice(-MAX_LINES),
];

/** A clock that is wrong by hours makes certificates invalid and requests too old, whatever these then say. */
function ofClock(evidence: NodeEvidence): readonly Finding[] {
  const { clockAheadMs = 0 } = evidence;
  return Math.abs(clockAheadMs) < WRONG_CLOCK_MS || isReadyNow(evidence) ? [] : clockFindings(evidence);
}

/** Certificates that have expired, on a machine that does not work: kubelet's first, without which nothing else is told. */
function ofCertificates(evidence: NodeEvidence): readonly Finding[] {
  return isReadyNow(evidence) ? [] : certificateFindings(evidence, 0);
}

function ofRevocation({ enrolment }: NodeEvidence): readonly Finding[] {
  if (enrolment?.revokedAt === undefined) return [];
  return [
    {
      what: `the machine was shut out of the cluster at ${enrolment.revokedAt}`,
      because: enrolment.reason === undefined ? [] : [enrolment.reason],
      next: 'delete the machine; if it was shut out by mistake, use `kopsctl toolbox re-enroll NODE --unrevoke --yes`',
    },
  ];
}

/** nodeup makes the machine a node: what failed there comes before kubelet. */
function ofBoot(evidence: NodeEvidence): readonly Finding[] {
  const { machine, report, console, journal, atMs } = evidence;
  const isWell = isReadyNow(evidence);
  if (report === undefined) {
    // Nothing says that there is a machine that could have reported.
    if (isWell || !isCloudAsked(machine)) return [];
    return [
      because(
        'the machine has not reported that nodeup began: it did not come up, did not get the agents, or does not reach the state store',
        [...console, ...saidBy(journal, 'nodeup', 'systemd')],
        'look at its console (`kopsctl toolbox console NODE` on local machines, the console output of the instance in a cloud) for cloud-init and the bootstrap script',
      ),
    ];
  }
  if ('unreadable' in report) {
    if (isWell) return [];
    return [
      {
        what: 'the boot report of the machine cannot be read',
        because: [report.unreadable],
        next: 'look at /var/lib/kops/boot-report.json on the machine',
      },
    ];
  }
  const failed = report.tasks.filter(({ result }) => result === 'failed');
  if (failed.length > 0) {
    return failed.map(({ task, error = 'it failed', hint }) => {
      const cause = causeOf(error);
      return {
        what: `nodeup could not carry out ${task}${cause === undefined ? '' : `: ${cause.what}`}`,
        because: [error],
        next: hint ?? cause?.next ?? 'look at `journalctl -u nodeup` on the machine',
      };
    });
  }
  const startedMs = Date.parse(report.startedAt);
  if (report.result !== 'running' || isWell) return [];
  const waiting = report.tasks.filter(({ result }) => result === 'running');
  const errors = waiting.flatMap(({ task, error }) => (error === undefined ? [] : [`${task}: ${error}`]));
  if (errors.length === 0 && atMs - startedMs < STUCK_AFTER_MS) {
    return [
      {
        what: 'the machine is booting',
        because: [
          `nodeup began at ${report.startedAt}, ${waiting.map(({ task }) => task).join(', ') || 'nothing'} is under way`,
        ],
        next: 'wait, or follow it with `kopsctl timeline --node NODE`',
      },
    ];
  }
  return [
    because(
      `nodeup has been stuck at ${waiting.map(({ task }) => task).join(', ') || 'an unknown task'} since ${report.startedAt}`,
      errors.length > 0 ? errors : saidBy(journal, 'nodeup'),
      'look at `journalctl -u nodeup` on the machine',
    ),
  ];
}

/** nodeup is done, and there is no Node: kubelet does not run, or is not let in. */
function ofRegistration(evidence: NodeEvidence): readonly Finding[] {
  const { node, objects, machine, enrolment, journal } = evidence;
  if (!isKnown(objects) || objects.node !== undefined) return [];
  const refused = objects.events.filter(({ reason }) => reason === 'AttestationRefused');
  if (refused.length > 0) {
    return [
      {
        what: 'the node authority refuses the machine',
        because: refused.map(({ message }) => message).slice(-MAX_LINES),
        next: 'if this is the right machine, permit it another key with `kopsctl toolbox re-enroll NODE --yes`',
      },
    ];
  }
  const isWorker = isKnown(machine) && machine.role === 'Node';
  if (isWorker && enrolment === undefined) {
    return [
      because(
        'the machine has not proven itself to a node authority yet, so its kubelet has no certificate',
        saidBy(journal, 'kubelet', 'protokube', ...RUNTIMES),
        'check that control planes can reach the machine (`journalctl -u node-authority` on a control plane, `journalctl -u protokube` on the machine)',
      ),
    ];
  }
  const again = repeatedBootFindings(evidence);
  if (again.length > 0) return again;
  const said = saidBy(journal, 'kubelet', ...RUNTIMES);
  const missed = said.filter((line) => line.includes(' kubelet[') && line.includes(node) && /" not found/.test(line));
  const [last] = missed.slice(-1);
  if (last !== undefined && !said.some((line) => line.includes('Unable to register node'))) {
    return [
      {
        what: 'the Node was deleted while its kubelet ran: kubelet registers it only when it is started',
        because: [last],
        next: '`systemctl restart kubelet` on the machine registers it again; `kopsctl delete instance NODE --yes` replaces the machine',
      },
    ];
  }
  return [
    because(
      'the kubelet of the machine has not registered its Node',
      said,
      'look at `journalctl -u kubelet` on the machine',
    ),
  ];
}

/** protokube tells of units that do not run before the Node's conditions do, and more exactly. */
function ofUnits({ objects, journal }: NodeEvidence): readonly Finding[] {
  if (!isKnown(objects) || objects.node?.state === undefined) return [];
  const { units = {} } = readMachineState(objects.node.state) ?? {};
  return Object.entries(units).map(([unit, trouble]) => {
    const program = unit.replace(/\.service$/, '');
    const said = trouble === UNIT_STOPPED ? [] : saidBy(journal, program);
    return because(
      `${unit} does not run on the machine, ${trouble}`,
      [...said.slice(-1), ...said],
      `look at \`journalctl -u ${program}\` on the machine; \`systemctl start ${program}\` starts it`,
    );
  });
}

/** The Node is there and not Ready: its conditions say why. Or its kubelet is silent, and nobody has noticed that yet. */
function ofNode(evidence: NodeEvidence): readonly Finding[] {
  const { objects, journal, console } = evidence;
  if (!isKnown(objects) || objects.node === undefined) return [];
  const silentMs = silentForMs(evidence);
  if (silentMs === undefined && isReady(objects.node)) return [];
  const again = repeatedBootFindings(evidence);
  if (again.length > 0) return again;
  const all = saidBy(journal, 'kubelet', ...RUNTIMES);
  // Kubelet has overcome what it said before it last renewed its lease.
  const logged = objects.lease === undefined ? all : linesSince(all, objects.lease.renewedMs);
  if (silentMs !== undefined) {
    const { what, next } = silentKubelet(silentMs);
    return [because(what, [...console, ...logged], next)];
  }
  const ready = objects.node.conditions.find(({ type }) => type === 'Ready');
  const said = ready?.message ?? 'the Node has no condition Ready';
  if (ready?.status === 'Unknown') {
    const what = 'the kubelet of the machine no longer reports';
    const finding = because(
      what,
      [said, ...console, ...logged],
      'check that the machine runs and can be reached, then look at `systemctl status kubelet` on it',
    );
    const guess = `${what}: the machine hangs or is cut off, or its kubelet does not run`;
    return [finding.what === what ? { ...finding, what: guess } : finding];
  }
  return [
    because(
      'the kubelet of the machine says that it is not ready',
      [said, ...reasonsOf(objects), ...all],
      'look at `journalctl -u kubelet` on the machine',
    ),
  ];
}

/** The Node is Ready, and something else on the machine is not as it should be. */
function ofParts(evidence: NodeEvidence): readonly Finding[] {
  const { objects } = evidence;
  if (!isKnown(objects) || objects.node === undefined) return [];
  const { node } = objects;
  const pressures = node.conditions.filter(({ type, status }) => type.endsWith('Pressure') && status === 'True');
  const state = node.state === undefined ? undefined : readMachineState(node.state);
  return [
    ...certificateFindings(evidence, LEAF_WARN_BEFORE_MS),
    ...clockFindings(evidence),
    ...repeatedBootFindings(evidence),
    ...placementFindings(evidence),
    ...pressures.map(({ type, message = '' }) =>
      because(
        `the Node has the condition ${type}`,
        [type, message],
        'look at what runs there: `kubectl describe node`',
      ),
    ),
    ...Object.entries(state?.failures ?? {}).map(([part, failure]) =>
      because(`protokube: ${part} does not work`, [failure], 'look at `journalctl -u protokube` on the machine'),
    ),
    ...objects.pods.map(({ name, reasons }) =>
      because(`the pod ${name} is not ready`, reasons, `look at \`kubectl describe pod -n kube-system ${name}\``),
    ),
  ];
}

const RUNTIMES = ['containerd', 'dockerd'];

const reasonsOf = ({ events, pods }: NodeObjects): readonly string[] => [
  ...events.map(({ reason, message }) => `${reason}: ${message}`),
  ...pods.flatMap(({ name, reasons }) => reasons.map((reason) => `${name}: ${reason}`)),
];
