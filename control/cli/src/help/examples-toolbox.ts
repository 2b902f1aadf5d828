import type { Examples } from './example.ts';

/** `toolbox`. */
export const TOOLBOX_EXAMPLES: Examples = {
  'toolbox addons apply': [
    [
      'Show which addons a cluster lacks',
      'toolbox addons apply s3://my-state/demo.example.com/addons/bootstrap-channel.yaml',
    ],
    ['Apply them', 'toolbox addons apply -f s3://my-state/channel.yaml --yes'],
  ],
  'toolbox addons list': [['Show which addons a cluster has applied', 'toolbox addons list --name demo.example.com']],
  'toolbox console': [['Print the console of a local machine', 'toolbox console nodes-1 --name demo.local.test']],
  'toolbox convert': [
    ['Print a spec in the newer version of the API', 'toolbox convert -f cluster.yaml --api-version v1alpha3'],
  ],
  'toolbox dump': [['Gather what helps to find a fault', 'toolbox dump demo.example.com --dir ./dump']],
  'toolbox enroll': [
    ['Add a machine to the cluster', 'toolbox enroll demo.example.com --instance-group nodes --host 10.0.0.7'],
  ],
  'toolbox exec': [['Run a command on a local machine', 'toolbox exec nodes-1 -- crictl ps']],
  'toolbox gc': [['Remove what crashed local clusters left', 'toolbox gc']],
  'toolbox instance-selector': [
    [
      'A group of spot machines of several types',
      'toolbox instance-selector my-spot-group --usage-class spot --flexible',
    ],
    [
      'See a group of types with 2 to 4 processors',
      'toolbox instance-selector my-group --vcpus-min 2 --vcpus-max 4 --memory-min 2gb --memory-max 4gb --dry-run',
    ],
  ],
  'toolbox lint': [['Check a spec before anybody stores it', 'toolbox lint -f cluster.yaml,groups.yaml']],
  'toolbox manual': [['Write the manual pages', 'toolbox manual --out ./man1']],
  'toolbox re-enroll': [['Permit a machine another key', 'toolbox re-enroll i-0a5ed581b862d3425 --yes']],
  'toolbox reboot': [['Reboot a local machine', 'toolbox reboot nodes-1 --name demo.local.test']],
  'toolbox revoke': [['Shut a stolen machine out', 'toolbox revoke i-0a5ed581b862d3425 --reason stolen --yes']],
  'toolbox schema': [
    ['Let an editor complete and check a spec', 'toolbox schema cluster'],
    ['A file with several objects', 'toolbox schema all'],
  ],
  'toolbox template': [
    [
      'Render a spec with values',
      'toolbox template --template cluster.tmpl.yaml --values values.yaml --set zone=eu-west-1a --output cluster.yaml',
    ],
  ],
  'toolbox terminate': [['Power a local machine off for good', 'toolbox terminate nodes-1 --name demo.local.test']],
  'toolbox unlock': [['Break a lock that was left behind', 'toolbox unlock demo.example.com']],
};
