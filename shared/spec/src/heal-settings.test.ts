import { expect, test } from 'vitest';
import { repairsDrift, replacesUnreadyAfterMs } from './heal-settings.ts';

const annotated = (annotations: Readonly<Record<string, string>>) => ({ metadata: { name: 'demo', annotations } });

test('unless it is asked for, nothing is repaired and no machine is replaced', () => {
  expect(repairsDrift(annotated({}), annotated({}))).toBe(false);
  expect(replacesUnreadyAfterMs(annotated({}), annotated({}))).toBeUndefined();
});

test('what an instance group says goes before what the cluster says', () => {
  const cluster = annotated({ 'kopsctl.io/node-drift': 'repair', 'kopsctl.io/replace-unready': '15m' });
  const group = annotated({ 'kopsctl.io/node-drift': 'report', 'kopsctl.io/replace-unready': 'never' });
  expect([repairsDrift(cluster, annotated({})), replacesUnreadyAfterMs(cluster, annotated({}))]).toEqual([
    true,
    900_000,
  ]);
  expect([repairsDrift(cluster, group), replacesUnreadyAfterMs(cluster, group)]).toEqual([false, undefined]);
});
