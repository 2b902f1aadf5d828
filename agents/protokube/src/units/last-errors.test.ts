import { expect, test } from 'vitest';
import { lastErrors } from './last-errors.ts';

const line = (program: string, text: string): string => `May 01 12:00:00 nodes-1 ${program}[123]: ${text}`;

test('what programs inform about is left out, and errors stay in their order', () => {
  const errors = [
    line('containerd', 'time="2026-05-01" level=error msg="no space left on device"'),
    line('kubelet', 'E0501 12:00:00.000000 1 kubelet.go:1] "Unable to register node" err="Unauthorized"'),
    line('etcd-manager', '{"level":"error","msg":"etcd ended"}'),
  ];
  const others = [
    line('kubelet', 'I0501 12:00:00.000000 1 prober.go:1] "Probe failed" err="connection refused"'),
    line('containerd', 'time="2026-05-01" level=info msg="retry after error"'),
    line('kubelet', 'the machine has joined'),
    '-- Boot 123 --',
  ];
  expect(lastErrors([...errors, ...others].join('\n'))).toEqual(errors);
  expect(lastErrors('')).toEqual([]);
});

test('of each program the last five are kept, and what is said again only once', () => {
  const of = (program: string, count: number) =>
    Array.from({ length: count }, (_, at) => line(program, `cannot reach ${'abcdefghij'[at]}`));
  const kept = lastErrors([...of('kubelet', 8), ...of('containerd', 2)].join('\n'));
  expect(kept).toEqual([...of('kubelet', 8).slice(-5), ...of('containerd', 2)]);
  const again = Array.from({ length: 9 }, (_, at) => line('kubelet', `attempt ${at} failed`));
  expect(lastErrors(again.join('\n'))).toEqual(again.slice(-1));
});

test('long lines are cut off, and nothing secret is kept', () => {
  const [kept = ''] = lastErrors(line('kubelet', `error: https://me:hunter2hunter2@example.com ${'x'.repeat(1000)}`));
  expect(kept.length).toBe(300);
  expect(kept).not.toContain('hunter2');
});
