import type { FactsForTools } from '@kopsctl/model/cloud.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { LaunchTemplateProps } from './kinds/compute.ts';
import { regionOf } from './region.ts';
import { hasUsualRootDevice, USUAL_ROOT_DEVICE } from './root-device.ts';

/**
 * What Terraform and CloudFormation need and only AWS knows: the name of each image's root device, which egress-only gateway a
 * shared VPC has, and which buckets everybody may read.
 */
export const awsFactsForTools: FactsForTools = {
  async ask({ metadata: { name }, spec }, tasks) {
    const [{ openAws }, { loadImage }, { egressGatewayOfVpc }, { isPublicBucket }] = await Promise.all([
      import('./handlers/aws-cloud.ts'),
      import('./handlers/image.ts'),
      import('./handlers/egress-gateway-of-vpc.ts'),
      import('./handlers/public-bucket.ts'),
    ]);
    const aws = openAws({ clusterName: name, region: regionOf(name, spec) });
    const asked = [...new Set(tasks.filter(isTemplate).map(imageOf))].map(async (image): Promise<[string, string]> => {
      try {
        return [image, (await loadImage(aws, image)).rootDevice];
      } catch (thrown) {
        throw unanswered(image, thrown);
      }
    });
    const rootDevices = new Map(await Promise.all(asked));
    const foundId = tasks.some(isSharedEgress) ? await egressGatewayOfVpc(aws, spec.networkID ?? '') : undefined;
    const buckets = [...new Set(tasks.flatMap((task) => bucketWithAcls(task) ?? []))];
    const isPublic = await Promise.all(buckets.map((bucket) => isPublicBucket(aws, bucket)));
    const open = buckets.filter((_bucket, index) => isPublic[index]);
    return tasks.map((task) => {
      if (open.includes(bucketWithAcls(task) ?? '')) return { ...task, props: { ...task.props, needsAcl: false } };
      if (foundId !== undefined && isSharedEgress(task)) return { ...task, props: { ...task.props, foundId } };
      return withRootDevice(task, isTemplate(task) ? rootDevices.get(imageOf(task)) : undefined);
    });
  },

  assumed(tasks) {
    return [...assumedRootDevices(tasks), ...leftToUser(tasks)];
  },
};

const isSharedEgress = ({ kind, props }: Task): boolean =>
  kind === 'aws/EgressOnlyInternetGateway' && props['shared'] === true;

/** The bucket of a file that is to be readable by an access control list. */
const bucketWithAcls = ({ kind, props: { bucket, needsAcl } }: Task): string | undefined =>
  kind === 'aws/PublicFile' && needsAcl === true && typeof bucket === 'string' ? bucket : undefined;

const leftToUser = (tasks: readonly Task[]): readonly string[] =>
  tasks.some(isSharedEgress)
    ? [
        'the egress-only internet gateway of the shared VPC is left to you: the tool asks for its id; without --offline, EC2 is asked',
      ]
    : [];

function assumedRootDevices(tasks: readonly Task[]): readonly string[] {
  const images = tasks.filter((task) => isTemplate(task) && task.props['rootDeviceName'] === undefined).map(imageOf);
  return [...new Set(images)]
    .filter((image) => !hasUsualRootDevice(image))
    .map(
      (image) =>
        `${USUAL_ROOT_DEVICE} is assumed to be the root device of the image ${image}: if it has another, machines get a ` +
        'second volume and a root volume of the size of the image; without --offline, EC2 is asked',
    );
}

const isTemplate = ({ kind }: Task): boolean => kind === 'aws/LaunchTemplate';

function imageOf({ name, props: { image } }: Task): string {
  if (typeof image !== 'string') throw new Error(`the launch template ${name} has no image`);
  return image;
}

const withRootDevice = (task: Task, rootDeviceName: LaunchTemplateProps['rootDeviceName']): Task =>
  rootDeviceName === undefined ? task : { ...task, props: { ...task.props, rootDeviceName } };

function unanswered(image: string, thrown: unknown): ActionableError {
  if (thrown instanceof ActionableError) return thrown;
  return new ActionableError({
    what: `ask EC2 for the root device of the image ${image}`,
    why: messageOf(thrown),
    next: `check the region and the credentials, or repeat the command with --offline, which assumes ${USUAL_ROOT_DEVICE}`,
    cause: thrown,
  });
}
