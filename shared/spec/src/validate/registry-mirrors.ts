import type { Cluster, ContainerdConfig } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { fault, type Fault } from './fault.ts';

const PATH = 'spec.containerd.registryMirrors';
/** A host with an optional port. It is the name of a folder on the node. */
const REGISTRY = /^([a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:\d+)?|\*)$/;

/** Checks the mirrors of registries: by the registry's host, or `*` for all others. */
export function* validateRegistryMirrors(cluster: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* faultsOf(cluster.spec.containerd);
  for (const { metadata, spec } of groups) {
    for (const one of faultsOf(spec.containerd)) yield { ...one, instanceGroup: metadata.name };
  }
}

function* faultsOf({ registryMirrors = {} }: ContainerdConfig = {}): Iterable<Fault> {
  for (const [registry, mirrors] of Object.entries(registryMirrors)) {
    if (!REGISTRY.test(registry)) {
      yield fault(
        PATH,
        `'${registry}' is not the host of a registry`,
        'e.g. docker.io, registry.example.com:5000, or *',
      );
    }
    for (const mirror of mirrors) {
      if (isWebUrl(mirror)) continue;
      yield fault(PATH, `'${mirror}' is not an http or https URL`, 'e.g. https://mirror.example.com');
    }
  }
}

const isWebUrl = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);
