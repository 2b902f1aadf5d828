import type { GivenBackCluster } from '@kopsctl/actions/give-back-cluster.ts';

/** What giving a cluster back to kops changes and what it does not, for people. */
export function describeGivingBack(given: GivenBackCluster): string {
  const { cluster, kopsVersion, isMade, isMarked } = given;
  const verb = isMade ? 'changed' : 'changes';
  const marked = '  ~ manifests/kopsctl/adopted.json: says that kopsctl leaves the cluster alone\n';
  return [
    `kops ${kopsVersion} made ${cluster}, and kopsctl took it over.\n`,
    isMarked ? `What ${verb} in the state store, below ${cluster}/:\n${marked}` : '',
    objectsText(given),
    cloudText(given),
    'The spec, keysets, secrets, addons of kops, backups and volumes stay as they are.\n',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function objectsText({ objects, isMade, isCleared, made }: GivenBackCluster): string {
  const lines = objects.map((object) => `  - ${object}\n`).join('');
  if (isCleared) return `What ${isMade ? 'was' : 'is'} deleted there, since only kopsctl reads it:\n${lines}`;
  const when =
    made === undefined
      ? 'What you can delete there once kops has replaced every machine; its cloud does not tell kopsctl when that is'
      : 'What is deleted there once kops has replaced every machine, because machines of kopsctl read it';
  return `${when}:\n${lines}`;
}

/** kopsctl changes nothing there. */
function cloudText({ cluster, made }: GivenBackCluster): string {
  const update = `\`kops update cluster ${cluster} --yes\``;
  const roll = `\`kops rolling-update cluster ${cluster} --yes\``;
  const what = 'What kops changes in the cloud';
  if (made === undefined)
    return `${what}: ${update} makes new machines its own, and ${roll} replaces those that run.\n`;
  const lines = [
    ...made.groups.map((group) => `  ~ new machines of ${group}, and the policies of its machines: by ${update}\n`),
    ...made.machines.map((machine) => `  ~ ${machine} is replaced: by ${roll}\n`),
  ];
  return lines.length === 0 ? 'Nothing in the cloud was made by kopsctl.\n' : `${what}:\n${lines.join('')}`;
}
