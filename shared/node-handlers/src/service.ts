import { join, resolve } from 'node:path';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { runCommand, tryCommand } from './command.ts';
import { endTimesAhead } from './times-ahead.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';
import { findService, type ServiceState } from './service-state.ts';

const schema = z.strictObject({
  unit: z.string().regex(/^[A-Za-z0-9@_.:\\-]+\.(service|socket|timer|mount|path)$/),
  enabled: z.boolean(),
  running: z.boolean(),
  restartOn: z.unknown().optional(),
  restartOnPaths: z.array(absolutePath).optional(),
  noBlock: z.boolean().optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface ServiceStep extends Step {
  /** systemd has loaded the unit, and with it whether it was enabled then, so systemd has to reload the unit. */
  readonly isLoaded?: boolean;
  readonly action: 'daemon-reload' | 'enable' | 'disable' | 'start' | 'restart';
}

/** The files that require a restart when they change, on this machine. */
function watched({ restartOnPaths = [] }: Props, { root }: NodeEnv): readonly string[] {
  return restartOnPaths.map((path) => join(root, path));
}

/** A systemd unit: enabled or not, running or not, and with its newest files. */
export const serviceHandler: Handler<NodeEnv, Props, ServiceState, ServiceStep> = {
  kind: 'Service',
  parse: (props) => schema.parse(props),

  find: (_name, props, env, signal) => findService(props.unit, watched(props, env), env, signal),

  plan(_name, props, actual) {
    const { unit } = props;
    const steps: ServiceStep[] = [];
    const systemd = actual?.systemd;
    if (systemd?.needsReload === true)
      steps.push({ action: 'daemon-reload', summary: `reload the unit file of ${unit}` });
    const isEnabled = actual?.isEnabled ?? false;
    const isLoaded = systemd?.isRunning ?? false;
    if (props.enabled && !isEnabled) steps.push({ action: 'enable', isLoaded, summary: `enable ${unit}` });
    if (!props.enabled && isEnabled) steps.push({ action: 'disable', isLoaded, summary: `disable ${unit}` });
    if (systemd === undefined) return steps;
    if (props.running && !systemd.isRunning) steps.push({ action: 'start', summary: `start ${unit}` });
    else if (props.running && systemd.startedMs < (actual?.newestFileMs ?? 0)) {
      steps.push({ action: 'restart', summary: `restart ${unit}: its files changed after it was started` });
    }
    // A unit that this task only enables may be running: nodeup itself is one.
    return steps;
  },

  async apply(step, _name, props, env, signal) {
    const below = env.root === '/' ? [] : [`--root=${resolve(env.root)}`];
    const block = props.noBlock === true ? ['--no-block'] : [];
    switch (step.action) {
      case 'daemon-reload':
        await runCommand(step.summary, 'systemctl', ['daemon-reload'], signal);
        return;
      case 'enable':
      case 'disable': {
        // Only makes links. Reloading every unit costs a third of a second each time, ten times in a boot.
        const reload = step.isLoaded === true ? [] : ['--no-reload'];
        await runCommand(step.summary, 'systemctl', [...below, step.action, ...reload, props.unit], signal);
        return;
      }
      case 'start':
      case 'restart': {
        await endTimesAhead(watched(props, env), env.nowMs());
        const args = [step.action, ...block, props.unit];
        const { exitCode } = await tryCommand('systemctl', args, signal);
        if (exitCode === 0) return;
        // systemd before 247 does not look again for a unit that it once did not find.
        await runCommand('reload the unit files of systemd', 'systemctl', ['daemon-reload'], signal);
        await runCommand(step.summary, 'systemctl', args, signal);
      }
    }
  },
};
