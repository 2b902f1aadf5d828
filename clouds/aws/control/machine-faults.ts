import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Fault, fault } from '@kopsctl/spec/validate/fault.ts';

/** What EC2 knows of the images and machine types that a cluster's groups name. */
export interface MachineFacts {
  readonly region: string;
  /** The architecture of each image, in EC2's words (`x86_64`, `arm64`); undefined for one that cannot be used. */
  readonly images: ReadonlyMap<string, string | undefined>;
  /** The architectures that each machine type supports. One that the region does not have is not in here. */
  readonly machineTypes: ReadonlyMap<string, readonly string[]>;
}

/** The machine types of a group, each with the path at which it stands: several may be listed in one field. */
export function typesOf({ spec }: InstanceGroup): readonly { readonly path: string; readonly name: string }[] {
  const listed = (spec.machineType ?? '').split(',').filter((name) => name !== '');
  const mixed = spec.mixedInstancesPolicy?.instances ?? [];
  return [
    ...listed.map((name) => ({ path: 'spec.machineType', name })),
    ...mixed.map((name, place) => ({ path: `spec.mixedInstancesPolicy.instances[${place}]`, name })),
  ];
}

/**
 * Images and machine types that do not exist, and those that do not fit each other (kops
 * pkg/apis/kops/validation/aws.go, awsValidateInstanceTypeAndImage).
 */
export const machineFaults = (groups: readonly InstanceGroup[], facts: MachineFacts): readonly Fault[] =>
  groups.flatMap((group) => faultsOf(group, facts).map((one) => ({ ...one, instanceGroup: group.metadata.name })));

function faultsOf(group: InstanceGroup, { region, images, machineTypes }: MachineFacts): readonly Fault[] {
  const { image } = group.spec;
  const architecture = image === undefined ? undefined : images.get(image);
  const missing =
    image !== undefined && architecture === undefined
      ? [
          fault(
            'spec.image',
            `there is no image ${image} that this account can use in ${region}`,
            'name an image by its id (ami-…), as ssm:PARAMETER, or as OWNER/NAME',
          ),
        ]
      : [];
  const ofTypes = typesOf(group).flatMap(({ path, name }) => {
    const supported = machineTypes.get(name);
    if (supported === undefined) return fault(path, `${region} has no machine type ${name}`);
    if (architecture === undefined || supported.includes(architecture)) return [];
    return fault(
      path,
      `the processors of ${name} (${supported.join(', ')}) do not run the image ${image ?? ''} (${architecture})`,
      `use an image for ${supported.join(' or ')}, or a machine type with processors for ${architecture}`,
    );
  });
  return [...missing, ...ofTypes];
}
