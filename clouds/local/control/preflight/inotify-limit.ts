import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { INOTIFY_LIMIT_FILE, gatherInotifyUse } from './gather-inotify-use.ts';
import { type InotifyUse, type WantedMachines, neededInotifyInstances, raisedInotifyLimit } from './inotify.ts';

/** Whether the sysctl can be written. In many containers /proc/sys is read-only, also for root. */
export async function canRaiseInotifyLimit(): Promise<boolean> {
  return access(INOTIFY_LIMIT_FILE, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Makes sure that the host allows enough inotify instances for the machines of one cluster. */
export interface InotifyLimit {
  /** @throws PermanentError when the limit is too low and cannot be raised */
  makeRoomFor(machines: WantedMachines): Promise<void>;
}

export interface InotifyEnv {
  use(): Promise<InotifyUse>;
  raiseTo(limit: number): Promise<void>;
  readonly say: (line: string) => void;
}

export const inotifyEnv = (cluster: string, say: (line: string) => void): InotifyEnv => ({
  use: () => gatherInotifyUse(cluster),
  raiseTo: (limit) => writeFile(INOTIFY_LIMIT_FILE, String(limit)),
  say,
});

export function openInotifyLimit(env: InotifyEnv): InotifyLimit {
  // Machines are created side by side: each is counted from the moment it is asked for.
  const wanted = new Map<string, NodeRole>();
  return {
    async makeRoomFor(machines) {
      for (const [name, role] of machines) wanted.set(name, role);
      const use = await env.use();
      const needed = neededInotifyInstances(use, wanted);
      if (needed <= use.limit) return;
      const raised = raisedInotifyLimit(needed);
      try {
        await env.raiseTo(raised);
      } catch (cause) {
        throw new PermanentError({
          what: `run ${[...machines.keys()].join(', ')} on this host`,
          why: `its local machines need ${needed} inotify instances, but it allows ${use.limit}: ${messageOf(cause)}`,
          next: `run sysctl fs.inotify.max_user_instances=${raised} on the host`,
          cause,
        });
      }
      env.say(`raised fs.inotify.max_user_instances from ${use.limit} to ${raised}: ${needed} instances are needed`);
    },
  };
}
