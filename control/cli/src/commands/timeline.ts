import { readTimeline } from '@kopsctl/actions/read-timeline.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument, writeErr, writeOut } from '../output/terminal.ts';
import { leftOutText } from '../timeline/left-out-text.ts';
import { timelineText } from '../timeline/timeline-text.ts';

export interface TimelineOptions {
  readonly node?: string;
  readonly output: 'text' | 'svg' | 'html' | 'json';
  readonly all?: boolean;
  readonly allMachines?: boolean;
}

/** Shows how the machines of a cluster booted, task by task. */
export async function timeline(
  global: GlobalOptions,
  cluster: string | undefined,
  { node, output, all, allMachines }: TimelineOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const read = await readTimeline(actionContext(global, env), { cluster, node, allMachines });
  for (const { node: of, reason } of read.unreadable)
    writeErr(`Warning: the report of ${of} cannot be read: ${reason}\n`);
  for (const line of leftOutText(read)) writeErr(`${line}\n`);
  if (output === 'json') writeDocument(`${JSON.stringify(read, null, 2)}\n`);
  else if (output === 'text') writeOut(timelineText(read.machines, { all: all === true }));
  else {
    const { timelineHtml, timelineSvg } = await import('../timeline/timeline-svg.ts');
    writeDocument((output === 'svg' ? timelineSvg : timelineHtml)(`Boots of ${read.cluster}`, read.machines));
  }
  return read.unreadable.length > 0 ? 1 : 0;
}
