import type { Examples } from './example.ts';

/** Examples of commands about clusters that run and change. */
export const DAY_TWO_EXAMPLES: Examples = {
  history: [['Show who changed the spec of a cluster, and why', 'history demo.example.com']],
  diff: [
    ['Show what the last change of the spec did', 'diff demo.example.com'],
    ['Show what it changes on machines', 'diff demo.example.com --what node-plans'],
    ['Compare the spec with how it was after change 3', 'diff demo.example.com --from 3'],
  ],
  undo: [
    ['Show what undoing the last change would do', 'undo demo.example.com'],
    ['Bring the spec back to how it was after change 3', 'undo demo.example.com --to 3 --yes'],
  ],
  adopt: [
    ['Show what taking over a cluster of kops would change', 'adopt demo.example.com'],
    ['Take it over', 'adopt demo.example.com --yes'],
  ],
  'give-back': [
    ['Show what giving a cluster back to kops would change', 'give-back demo.example.com'],
    ['Give it back, and once more when kops has replaced its machines', 'give-back demo.example.com --yes'],
  ],
  heal: [
    ['Show which machine has been not Ready for too long', 'heal demo.example.com'],
    ['Replace such machines as long as this runs', 'heal demo.example.com --yes --watch'],
  ],
  'upgrade cluster': [
    ['Show what the newest recommended Kubernetes would change', 'upgrade cluster demo.example.com'],
    ['Upgrade a cluster with its machines', 'upgrade cluster demo.example.com --kubernetes-version 1.36.3 --yes'],
  ],
  'reconcile cluster': [
    ['Update a cluster and replace its outdated machines, in a safe order', 'reconcile cluster demo.example.com --yes'],
  ],
  timeline: [
    ['Show how machines booted, and what took the time', 'timeline demo.example.com'],
    ['Draw the boot of one of them', 'timeline demo.example.com --node nodes-1 -o svg'],
  ],
  graph: [
    ['Draw the parts of a cluster with Graphviz', 'graph demo.example.com'],
    ['Draw what nodeup does on machines of a group', 'graph demo.example.com --instance-group nodes -o mermaid'],
  ],
  ui: [['Show the clusters of the state store in a browser', 'ui']],
};
