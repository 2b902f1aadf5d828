import { testStories } from '@kopsctl/testing/text-story.ts';
import { planLeadership, type LeaderRecord } from './plan-leadership.ts';

/**
 * Replays the stories in testdata/leadership, told by machine a: each line changes what it sees, `plan` decides and is
 * carried out, and the text below `----` is the decision.
 */
const FOLDER = new URL('../../testdata/leadership/', import.meta.url);

interface World {
  record: LeaderRecord | undefined;
  unchangedForMs: number;
  holds: boolean;
  hasVolume: boolean;
  isBystander: boolean;
  process: string;
  isWell: boolean;
  unwellForMs: number;
  othersLead: boolean;
  offers: number;
}

const CHANGES: Readonly<Record<string, (world: World, ...args: string[]) => unknown>> = {
  // record HOLDER[@MACHINE] EPOCH: another machine has just written it.
  record: (world, holder = '', epoch = '') => {
    const [name = '', machine = name] = holder.split('@');
    world.record = { holder: name === 'nobody' ? '' : name, machine, process: 'other', epoch: Number(epoch), beat: 0 };
    world.unchangedForMs = 0;
    world.holds = false;
  },
  well: (world) => Object.assign(world, { isWell: true, unwellForMs: 0, offers: 0 }),
  unwell: (world) => (world.isWell = false),
  // The other members have a quorum without this one.
  'others-lead': (world) => (world.othersLead = true),
  'others-away': (world) => (world.othersLead = false),
  restart: (world) =>
    Object.assign(world, { holds: false, unwellForMs: 0, offers: 0, process: `${world.process} again` }),
  'volume-gone': (world) => (world.hasVolume = false),
  'volume-back': (world) => (world.hasVolume = true),
  // A restore has begun without this machine, and has ended.
  'restore-without': (world) => (world.isBystander = true),
  'restore-over': (world) => (world.isBystander = false),
  seconds: (world, seconds = '') => {
    world.unchangedForMs += Number(seconds) * 1000;
    if (!world.isWell) world.unwellForMs += Number(seconds) * 1000;
  },
};

function plan(world: World): string {
  const seen = world.record && { record: world.record, unchangedForMs: world.unchangedForMs };
  const step = planLeadership({ member: 'a', machine: 'a', process: world.process }, seen, world);
  if (step.action === 'wait') {
    world.holds = false;
    return `wait ${Math.round(step.waitMs / 1000)} s: ${step.summary}`;
  }
  const isTaken = world.record !== undefined && world.record.holder !== 'a';
  Object.assign(world, { record: step.record, unchangedForMs: 0, holds: step.action === 'write' });
  if (step.action === 'step-down') Object.assign(world, { unwellForMs: 0, offers: world.offers + 1 });
  else if (isTaken && !world.isWell) world.offers = Math.max(world.offers, 1);
  return `${step.action}: ${step.summary} (${step.record.holder || 'nobody'}, epoch ${step.record.epoch})`;
}

const emptyWorld = (): World => ({
  record: undefined,
  unchangedForMs: 0,
  holds: false,
  hasVolume: true,
  isBystander: false,
  process: 'first',
  isWell: true,
  unwellForMs: 0,
  othersLead: false,
  offers: 0,
});

testStories(FOLDER, { begin: emptyWorld, changes: CHANGES, plan: plan });
