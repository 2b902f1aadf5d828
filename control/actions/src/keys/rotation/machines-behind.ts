import type { Machine } from '@kopsctl/model/cloud.ts';
import { usesKeyset } from '@kopsctl/model/node/node-keysets.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { planFolderOf, type NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planPath } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { fetchBootReport } from '../../follow/read-boot-report.ts';

const ROLES: readonly NodeRole[] = ['ControlPlane', 'Node', 'Bastion', 'APIServer'];

/**
 * The machines whose last boot was not by a plan of the newest state of the keysets that they use. A machine that says
 * nothing, or did not finish, counts: nothing is known of what it trusts.
 */
export async function machinesBehind(
  store: StateStore,
  cluster: string,
  machines: readonly Machine[],
  states: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const known = new Map<string, Promise<Readonly<Record<string, string>> | undefined>>();
  const behind = await Promise.all(
    machines.map(async ({ name, nodeName, role: named }) => {
      const role = ROLES.find((one) => one === named);
      // Bastions have no plan, and hold no certificates.
      if (role === undefined || role === 'Bastion') return [];
      const fetched = await fetchBootReport(store, bootReportPath(cluster, nodeName));
      const report = fetched?.report;
      if (report === undefined || 'unreadable' in report || report.result !== 'done') return [name];
      if (report.planHash === undefined) return [name];
      const path = planPath(cluster, planFolderOf(role), report.planHash);
      const plan = known.get(path) ?? keysetsOfPlan(store, path);
      known.set(path, plan);
      const planned = await plan;
      if (planned === undefined) return [name];
      const differs = Object.entries(states).some(
        ([keyset, state]) => usesKeyset(role, keyset) && planned[keyset] !== state,
      );
      return differs ? [name] : [];
    }),
  );
  return behind.flat();
}

async function keysetsOfPlan(store: StateStore, path: string): Promise<Readonly<Record<string, string>> | undefined> {
  const stored = await store.read(path);
  if (stored === undefined) return undefined;
  return parsePlan(stored.bytes, `${path} in ${store.url}`).keysets ?? {};
}
