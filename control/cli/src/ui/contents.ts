import type { ActionContext } from '@kopsctl/actions/phases/action.ts';
import { getClusters } from '@kopsctl/actions/get-objects.ts';
import { getNodes } from '@kopsctl/actions/get-nodes.ts';
import type { NodeOverview } from '@kopsctl/actions/follow/list-nodes.ts';
import { listChanges } from '@kopsctl/actions/list-changes.ts';
import { listEtcdBackups, type ShownBackup } from '@kopsctl/actions/list-etcd-backups.ts';
import { planCluster } from '@kopsctl/actions/plan-cluster.ts';
import { readTimeline, type ReadTimeline } from '@kopsctl/actions/read-timeline.ts';
import { getCluster } from '@kopsctl/actions/get-objects.ts';
import type { BootMemory } from '@kopsctl/actions/timeline/boot-memory.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { describeChange } from '../output/describe-change.ts';
import { leftOutText } from '../timeline/left-out-text.ts';
import { timelineSvg } from '../timeline/timeline-svg.ts';
import { type ExplanationMemory, explanations } from './explanations.ts';
import { drawn, html, type Html } from './html.ts';
import { linkFromClusters, type Part } from './page.ts';

/** All clusters of the store. */
export async function clustersContent(context: ActionContext): Promise<Html> {
  const clusters = await getClusters(context, { names: [], full: false });
  const rows = clusters.map(({ metadata: { name }, spec }) => [
    html`<a href="${linkFromClusters(name, 'machines')}">${name}</a>`,
    text(spec.cloudProvider),
    text(spec.kubernetesVersion),
  ]);
  return tableOf(['cluster', 'cloud', 'Kubernetes'], rows);
}

/** What pages remember, which ask the same again and again. */
export interface PageMemory {
  readonly boots: BootMemory;
  readonly explanations: ExplanationMemory;
}

/** What a page about a cluster shows. The context names the cluster; the memory is that of all pages. */
export const CONTENTS: Readonly<Record<Part, (context: ActionContext, memory: PageMemory) => Promise<Html>>> = {
  machines: machinesContent,
  spec: specContent,
  plan: planContent,
  backups: backupsContent,
};

async function machinesContent(context: ActionContext, memory: PageMemory): Promise<Html> {
  const [nodes, boots] = await Promise.all([
    orWhyNot(() => nodesContent(context, memory.explanations)),
    orWhyNot(() => bootsContent(context, memory.boots)),
  ]);
  return html`${nodes}
    <h2>Boots</h2>
    ${boots}`;
}

async function nodesContent(context: ActionContext, memory: ExplanationMemory): Promise<Html> {
  const { nodes, apiFailure } = await getNodes(context);
  const rows = nodes.map((one) => [
    text(one.node),
    text(one.role),
    text(one.instanceGroup),
    text(one.address),
    html`<span class="${one.status === 'Ready' ? 'good' : 'bad'}">${one.status}</span>`,
    text(one.boot),
    text(one.plan),
  ]);
  return html`${apiFailure === undefined ? undefined : html`<p class="bad">${apiFailure}</p>`}
  ${tableOf(['node', 'role', 'group', 'address', 'status', 'boot', 'plan'], rows)}
  ${nodes.filter(({ failures }) => failures.length > 0).map(failuresOf)} ${explanations(context, nodes, memory)}`;
}

const failuresOf = ({ node, failures }: NodeOverview): Html =>
  html`<h3>${node}</h3>
    <ul>
      ${failures.map((failure) => html`<li class="bad">${failure}</li>`)}
    </ul>`;

async function bootsContent(context: ActionContext, memory: BootMemory): Promise<Html> {
  const read: ReadTimeline = await readTimeline(context, { memory });
  return html`${drawn(timelineSvg(`Boots of ${read.cluster}`, read.machines))}
  ${read.unreadable.map(({ node, reason }) => html`<p class="bad">The report of ${node} cannot be read: ${reason}</p>`)}
  ${leftOutText(read).map((line) => html`<p class="quiet">${line}</p>`)}`;
}

async function specContent(context: ActionContext): Promise<Html> {
  const [{ cluster, instanceGroups }, { changes, changedElsewhere }] = await Promise.all([
    getCluster(context, { full: false }),
    listChanges(context, undefined),
  ]);
  const rows = changes.toReversed().map((line) => {
    const { at, who, why, command } = describeChange(line);
    return [line.id, at, who, line.objects.map(({ path }) => path).join(' '), why, command].map(text);
  });
  return html`<h2>Changes</h2>
    ${changedElsewhere.length === 0 ? undefined : html`<p class="quiet">Changed since then by another tool: ${changedElsewhere.join(', ')}</p>`}
    ${tableOf(['change', 'at', 'who', 'objects', 'why', 'command'], rows)}
    <h2>Spec</h2>
    ${[cluster, ...instanceGroups].map((object) => html`<pre>${printObject(object)}</pre>`)}`;
}

async function planContent(context: ActionContext): Promise<Html> {
  const { result } = await planCluster(context, { cluster: context.name, scope: { prune: false } });
  return html`<pre>${renderPlan(result)}</pre>`;
}

async function backupsContent(context: ActionContext): Promise<Html> {
  const backups = await listEtcdBackups(context, {});
  if (backups.length === 0) return html`<p>There are no backups yet.</p>`;
  const rows = backups
    .toReversed()
    .map((backup) => [
      text(backup.etcdCluster),
      text(backup.name),
      text('damage' in backup ? '' : backup.meta.etcdVersion),
      text(`${(backup.storedBytes / 1024 ** 2).toFixed(1)} MiB`),
      ...('damage' in backup
        ? [text(''), html`<span class="bad">${backup.damage}</span>`]
        : [text(backup.facts?.reason ?? 'by kops'), proofOf(backup)]),
    ]);
  return tableOf(['etcd', 'backup', 'version', 'size', 'reason', 'proof'], rows);
}

function proofOf({ verified }: Exclude<ShownBackup, { damage: string }>): Html {
  if (verified === undefined) return html`<span class="quiet">not yet</span>`;
  return verified.ok
    ? html`<span class="good">restored with ${verified.keys ?? 0} keys</span>`
    : html`<span class="bad">${verified.failure ?? 'failed'}</span>`;
}

/** A part that is not available now leaves the others as they are. */
async function orWhyNot(content: () => Promise<Html>): Promise<Html> {
  try {
    return await content();
  } catch (error) {
    return html`<p class="bad">${messageOf(error)}</p>`;
  }
}

const text = (value: string | undefined): Html => html`${value}`;

function tableOf(header: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${header.map((name) => html`<th>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
