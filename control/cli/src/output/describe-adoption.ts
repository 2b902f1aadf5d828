import type { AdoptedCluster } from '@kopsctl/actions/adopt-cluster.ts';
import type { AdoptionChange } from '@kopsctl/actions/adopt/plan-adoption.ts';

/** Longer values are shortened for people; the JSON form has the whole. */
const LONGEST_VALUE = 60;

const SIGNS = { create: '+', change: '~', delete: '-' } as const;

/** What taking a cluster over changes and what it does not, for people: each object with its reason. */
export function describeAdoption({ cluster, kopsVersion, changes, kept, result }: AdoptedCluster): string {
  // Of changes that failed or were stopped, it is told elsewhere which were made.
  const isDone = result.mode === 'apply' && result.failed === 0 && !result.cancelled;
  const [verb, tense] = isDone ? ['changed', 'was'] : ['changes', 'is'];
  const of = (place: AdoptionChange['place'], isPending: boolean): readonly AdoptionChange[] =>
    changes.filter((one) => one.place === place && one.isPending === isPending);
  return [
    `kops ${kopsVersion} made ${cluster}.\n`,
    section(`What ${verb} in the state store, below ${cluster}/`, of('store', false)),
    section(`What ${verb} in the cloud`, of('cloud', false)),
    section(`What else ${verb} in the cloud: look at it before you go on`, of('cloud', true)),
    `Nothing else ${tense} written: ${kept.length} objects of the store stay as they are, byte for byte.\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Objects with one reason stand below it. */
function section(title: string, changes: readonly AdoptionChange[]): string {
  if (changes.length === 0) return '';
  const reasons = [...new Set(changes.map(({ why }) => why))];
  const parts = reasons.map(
    (why) =>
      `  # ${why}\n${changes
        .filter((one) => one.why === why)
        .map(changeText)
        .join('')}`,
  );
  return `${title}:\n${parts.join('')}`;
}

function changeText({ object, change, fields }: AdoptionChange): string {
  const lines = fields.map(({ path, from, to }) => {
    if (from === undefined) return `      + ${path}${valueText(to)}`;
    if (to === undefined) return `      - ${path}${valueText(from)}`;
    return `      ~ ${path}${valueText(from)} →${valueText(to).slice(1)}`;
  });
  return [`  ${SIGNS[change]} ${object}`, ...lines].map((line) => `${line}\n`).join('');
}

/** Empty where the path says it all. */
function valueText(value: AdoptionChange['fields'][number]['to']): string {
  if (value === true || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `: ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}`;
}
