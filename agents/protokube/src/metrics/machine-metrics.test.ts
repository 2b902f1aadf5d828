import { expect, test } from 'vitest';
import { StateBoard } from '../state/state-board.ts';
import { machineMetrics } from './machine-metrics.ts';

test('a failing part is a fault and a metric until it works again', async () => {
  const board = new StateBoard('gossip');
  const metrics = machineMetrics(board);
  board.members(3);
  board.volume('main', { isMounted: false, summary: 'wait for a free main volume' });
  board.failure('dns', 'the zone is not there');
  board.addonsAre(
    new Map([
      ['net', false],
      ['rbac', true],
    ]),
  );
  expect(metrics.faults()).toEqual([
    'wait for a free main volume',
    'dns: the zone is not there',
    'addon net is not applied',
  ]);
  const text = await metrics.text();
  expect(text).toContain('protokube_gossip_members 3');
  expect(text).toContain('protokube_volume_mounted{cluster="main"} 0');
  expect(text).toContain('protokube_failing{part="dns"} 1');
  expect(text).toContain('protokube_addon_applied{addon="net"} 0');
  board.volume('main', { isMounted: true, member: 'a', summary: '' });
  board.failure('dns', undefined);
  board.addonsAre(new Map());
  expect(metrics.faults()).toEqual([]);
  expect(await metrics.text()).not.toContain('part="dns"');
});
