import { type AutoScalingGroup, DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateTagsCommand,
  paginateDescribeLaunchTemplates,
  paginateDescribeLaunchTemplateVersions,
} from '@aws-sdk/client-ec2';
import { RegisterInstancesWithLoadBalancerCommand } from '@aws-sdk/client-elastic-load-balancing';
import { RegisterTargetsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { changedGroups } from '@kopsctl/model/changed-groups.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { Fleet, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { namingOf } from '../naming.ts';
import { type AwsCloud, openAws } from '../handlers/aws-cloud.ts';
import { explained } from '../handlers/aws-error.ts';
import { awsModelCloud } from '../model/model-cloud.ts';
import { regionOf } from '../region.ts';
import { instancesById } from '../running/machine-groups.ts';
import { isOurVersion } from '../handlers/launch-template.ts';
import { autoScalingGroups } from './auto-scaling-groups.ts';
import { endMachine } from './end-machine.ts';
import {
  type AwsFleetGroup,
  DETACHED_TAG,
  type FleetFacts,
  fleetGroups,
  launchTemplateOf,
  madeByKopsctl,
} from './fleet-groups.ts';
import { leaveBalancers, leavingEnv } from './leave-balancers.ts';
import { templateRules } from './template-rules.ts';

/** The machines of a cluster in AWS. Its auto-scaling groups make a new machine for each one that is terminated or detached. */
export function awsFleet(
  { cluster, instanceGroups }: Completed,
  storeUrl: string,
  note: (line: string) => void,
): Fleet {
  const facts = clusterFacts(cluster, storeUrl, awsModelCloud);
  const { clusterName } = facts;
  const aws = openAws({ clusterName, region: regionOf(clusterName, facts.spec) });
  const naming = namingOf(facts);
  const told = new Set<string>();
  const noteOnce = (line: string): void => {
    if (!told.has(line)) note(line);
    told.add(line);
  };

  async function look<Result>(at: (facts: FleetFacts) => Result | Promise<Result>): Promise<Result> {
    try {
      const [found, instances] = await Promise.all([autoScalingGroups(aws), instancesById(aws)]);
      const newestVersions = await newestVersionsOf(aws, found);
      return await at({ clusterName, groups: found, instances, newestVersions, naming });
    } catch (thrown) {
      throw explained(thrown, `list the machines of ${clusterName}`);
    }
  }
  const groups = () => look(fleetGroups);
  const groupOf = async ({ instanceGroup }: FleetMachine) =>
    (await groups()).find(({ name }) => name === instanceGroup);
  const change = async (what: string, machine: FleetMachine, work: (group: AwsFleetGroup) => Promise<unknown>) => {
    const group = await groupOf(machine);
    if (group === undefined) return;
    try {
      await work(group);
    } catch (thrown) {
      throw explained(thrown, `${what} ${machine.id} of ${machine.instanceGroup}`);
    }
  };

  return {
    groups,
    changedGroups: (planned) => changedGroups(instanceGroups, planned, templateRules(clusterName)),
    madeByKopsctl: () =>
      look(async (facts) => madeByKopsctl(facts, await ourVersionsOf(aws, [...facts.newestVersions.keys()]))),
    deregister: (machine, signal) =>
      change('take out of the load balancers', machine, (group) =>
        leaveBalancers(aws, group, machine.id, leavingEnv(noteOnce), signal),
      ),
    register: (machine) =>
      change('put back into the load balancers', machine, async ({ targetGroups, classicLoadBalancers }) => {
        const [Targets, Instances] = [[{ Id: machine.id }], [{ InstanceId: machine.id }]];
        for (const TargetGroupArn of targetGroups) {
          await aws.loadBalancing.send(new RegisterTargetsCommand({ TargetGroupArn, Targets }));
        }
        for (const LoadBalancerName of classicLoadBalancers) {
          await aws.classicLoadBalancing.send(
            new RegisterInstancesWithLoadBalancerCommand({ LoadBalancerName, Instances }),
          );
        }
      }),
    detach: (machine) =>
      change('detach', machine, async ({ autoScalingGroup: AutoScalingGroupName }) => {
        if (machine.standing === 'detached') return;
        // The tag is set first, so that a machine without a group always has a note of its group.
        const Tags = [{ Key: DETACHED_TAG, Value: AutoScalingGroupName }];
        await aws.ec2.send(new CreateTagsCommand({ Resources: [machine.id], Tags }));
        await aws.autoScaling.send(
          new DetachInstancesCommand({
            AutoScalingGroupName,
            InstanceIds: [machine.id],
            ShouldDecrementDesiredCapacity: false,
          }),
        );
      }),
    delete: (machine) => change('end', machine, (group) => endMachine(aws, group, machine.id)),
  };
}

async function newestVersionsOf(
  aws: AwsCloud,
  groups: readonly AutoScalingGroup[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(groups.flatMap((group) => launchTemplateOf(group) ?? []))];
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const pages = paginateDescribeLaunchTemplates({ client: aws.ec2 }, { LaunchTemplateIds: ids });
  for await (const { LaunchTemplates = [] } of pages) {
    for (const { LaunchTemplateId = '', LatestVersionNumber = 0 } of LaunchTemplates) {
      found.set(LaunchTemplateId, String(LatestVersionNumber));
    }
  }
  return found;
}

/** The numbers of the versions that kopsctl made, by the template's id. */
async function ourVersionsOf(
  aws: AwsCloud,
  templates: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = templates.map(async (LaunchTemplateId) => {
    const ours = new Set<string>();
    for await (const page of paginateDescribeLaunchTemplateVersions({ client: aws.ec2 }, { LaunchTemplateId })) {
      for (const { VersionDescription = '', VersionNumber = 0 } of page.LaunchTemplateVersions ?? []) {
        if (isOurVersion(VersionDescription)) ours.add(String(VersionNumber));
      }
    }
    return [LaunchTemplateId, ours] as const;
  });
  return new Map(await Promise.all(found));
}
