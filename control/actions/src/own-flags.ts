export { OWN_FLAGS } from '@kopsctl/clouds/create-cluster-flags.ts';
