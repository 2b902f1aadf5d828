import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planLeadership, type LeaderRecord } from './plan-leadership.ts';

/**
 * Replays the stories in testdata/leadership, told by machine a: each line changes what it sees, `plan` decides and is
 * carried out, and what stands below `----` is the decision. `UPDATE=1` rewrites them; read the difference before it is
 * committed.
 */
const FOLDER = new URL('../../testdata/leadership/', import.meta.url);

interface World {
  record: LeaderRecord | undefined;
  unchangedForMs: number;
  holds: boolean;
  isWell: boolean;
  unwellForMs: number;
  othersLead: boolean;
  offers: number;
}

const CHANGES: Readonly<Record<string, (world: World, ...args: string[]) => void>> = {
  // record HOLDER EPOCH: somebody else has written it just now.
  record: (world, holder = '', epoch = '') => {
    world.record = { holder: holder === 'nobody' ? '' : holder, epoch: Number(epoch), beat: 0 };
    world.unchangedForMs = 0;
    world.holds = false;
  },
  well: (world) => Object.assign(world, { isWell: true, unwellForMs: 0, offers: 0 }),
  unwell: (world) => (world.isWell = false),
  // The other members have a quorum without this one.
  'others-lead': (world) => (world.othersLead = true),
  'others-away': (world) => (world.othersLead = false),
  restart: (world) => Object.assign(world, { holds: false, unwellForMs: 0, offers: 0 }),
  seconds: (world, seconds = '') => {
    world.unchangedForMs += Number(seconds) * 1000;
    if (!world.isWell) world.unwellForMs += Number(seconds) * 1000;
  },
};

function plan(world: World): string {
  const seen = world.record && { record: world.record, unchangedForMs: world.unchangedForMs };
  const step = planLeadership('a', seen, world);
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

function replay(story: string): string {
  const world: World = {
    record: undefined,
    unchangedForMs: 0,
    holds: false,
    isWell: true,
    unwellForMs: 0,
    othersLead: false,
    offers: 0,
  };
  const paragraphs = story.split('\n\n').map((paragraph) => {
    const [commands = ''] = paragraph.split('\n----');
    let decision: string | undefined;
    for (const line of commands.split('\n')) {
      const [command = '', ...args] = line.trim().split(' ');
      if (command === '' || command.startsWith('#')) continue;
      if (command === 'plan') decision = plan(world);
      else {
        const change = CHANGES[command];
        if (change === undefined) throw new Error(`a story cannot say "${line}"`);
        change(world, ...args);
      }
    }
    return decision === undefined ? commands.trimEnd() : `${commands.trimEnd()}\n----\n${decision}`;
  });
  return `${paragraphs.join('\n\n').trimEnd()}\n`;
}

test.each(readdirSync(FOLDER))('the story %s goes as it is told', (name) => {
  const file = new URL(name, FOLDER);
  const told = readFileSync(file, 'utf8');
  const played = replay(told);
  if (process.env['UPDATE'] === '1') writeFileSync(file, played);
  expect(played).toBe(process.env['UPDATE'] === '1' ? played : told);
});
