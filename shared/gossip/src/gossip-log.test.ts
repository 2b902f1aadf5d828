import { expect, it } from 'vitest';
import { rateLimitedInfo, rateLimitedWarn, type GossipLogFields } from './gossip-log.ts';

it('Warnings of one kind are logged once per interval, with the number of those left out', () => {
  const lines: [string, GossipLogFields | undefined][] = [];
  let nowMs = 0;
  const log = {
    info: () => undefined,
    warn: (text: string, fields?: GossipLogFields) => void lines.push([text, fields]),
  };
  const warn = rateLimitedWarn(log, () => nowMs);
  warn('send', 'cannot send', { to: '10.0.0.1' });
  warn('send', 'cannot send', { to: '10.0.0.2' });
  warn('stream', 'stream failed', { from: '10.0.0.3' });
  nowMs = 10_000;
  warn('send', 'cannot send', { to: '10.0.0.4' });
  nowMs = 20_000;
  warn('send', 'cannot send', { to: '10.0.0.5' });
  expect(lines).toEqual([
    ['cannot send', { to: '10.0.0.1' }],
    ['stream failed', { from: '10.0.0.3' }],
    ['cannot send', { to: '10.0.0.4', leftOut: 1 }],
    ['cannot send', { to: '10.0.0.5' }],
  ]);
});

it('Of a flood of members, a part is logged, and then how many were left out', () => {
  const lines: [string, GossipLogFields | undefined][] = [];
  let nowMs = 0;
  const log = {
    info: (text: string, fields?: GossipLogFields) => void lines.push([text, fields]),
    warn: () => undefined,
  };
  const info = rateLimitedInfo(log, () => nowMs);
  for (let member = 0; member < 1000; member += 1) info('member joined', { member });
  expect(lines).toHaveLength(256);
  nowMs = 10_000;
  info('member joined', { member: 'late' });
  expect(lines.slice(256)).toEqual([
    ['members came and went', { leftOut: 744 }],
    ['member joined', { member: 'late' }],
  ]);
});
