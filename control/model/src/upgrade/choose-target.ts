import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import semver from 'semver';
import { adviceFor, type Channel } from './channel.ts';
import { stepFault } from './ladder.ts';

export interface Target {
  readonly version: string;
  /** Sentences about what the channel says. */
  readonly remarks: readonly string[];
}

export interface TargetInput {
  readonly cluster: string;
  /** The version that was applied last. */
  readonly applied: string;
  /** The version that a person names. */
  readonly named: string | undefined;
  readonly channel: Channel;
}

/**
 * The version of Kubernetes to which a cluster goes: the one that a person names, otherwise the one that the channel
 * recommends, and never an older one by itself. Pure.
 *
 * @throws ActionableError where the person names no version, or one of an older minor
 */
export function chooseTarget({ cluster, applied, named, channel }: TargetInput): Target {
  return named === undefined
    ? recommendedTarget(applied, channel)
    : { version: namedTarget(cluster, applied, named), remarks: [] };
}

function namedTarget(cluster: string, applied: string, named: string): string {
  const refuse = (why: string, next: string) => new ActionableError({ what: `upgrade ${cluster}`, why, next });
  const version = semver.parse(bareVersion(named))?.version;
  if (version === undefined) throw refuse(`'${named}' is not a version`, 'write all three numbers, e.g. 1.36.3');
  const fault = semver.lt(version, applied) ? stepFault(applied, version) : undefined;
  if (fault === undefined) return version;
  throw refuse(fault, 'create a cluster of the older version, and move your workloads to it');
}

function recommendedTarget(applied: string, channel: Channel): Target {
  const { recommended = applied, required = applied } = adviceFor(channel, applied) ?? {};
  const version = channel.kubernetes ?? recommended;
  const unsupported = semver.lt(applied, required)
    ? [`The channel requires Kubernetes ${required} or newer; ${applied} is no longer supported.`]
    : [];
  if (semver.gt(applied, version)) {
    const isNewer = `Kubernetes ${applied} is newer than ${version}, which the channel recommends.`;
    return { version: applied, remarks: [...unsupported, isNewer] };
  }
  const hasPatch = semver.lt(applied, recommended) && semver.neq(recommended, version);
  const patch = `The newest patch of its minor version is ${recommended}: --kubernetes-version ${recommended} goes no further.`;
  return { version, remarks: [...unsupported, ...(hasPatch ? [patch] : [])] };
}
