import type { InstanceType } from './instance-type.ts';

/** At least and at most; an end that is absent is open. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What machines a group should have. What is absent is not asked for. */
export interface TypeWishes {
  readonly vcpus?: Range;
  readonly memoryMib?: Range;
  readonly gpus?: Range;
  readonly gpuMemoryMib?: Range;
  readonly networkInterfaces?: Range;
  /** MiB of memory for each processor, within a few percent. */
  readonly memoryPerVcpuMib?: number | undefined;
  readonly architecture: 'amd64' | 'arm64';
  readonly usageClass: string;
  readonly placementStrategy?: string | undefined;
  readonly isBurstable?: boolean | undefined;
  readonly hasEna?: boolean | undefined;
  /** No outdated types, and no bare metal. */
  readonly onlyCurrent?: boolean | undefined;
  readonly allowed?: RegExp | undefined;
  readonly denied?: RegExp | undefined;
  readonly maxResults: number;
}

/** Types differ by a few MiB from the memory that they are sold with. */
const RATIO_TOLERANCE = 0.05;

const isIn = (value: number, { min = 0, max = Number.POSITIVE_INFINITY }: Range = {}): boolean =>
  value >= min && value <= max;

const isWished = (value: boolean, wish: boolean | undefined): boolean => wish === undefined || wish === value;

/** The types that fit, the smallest first; types of the same size in the order of their names. Pure. */
export function selectTypes(types: readonly InstanceType[], wishes: TypeWishes): readonly InstanceType[] {
  const { vcpus, memoryMib, gpus, gpuMemoryMib, networkInterfaces, maxResults } = wishes;
  return types
    .filter(
      (type) =>
        isIn(type.vcpus, vcpus) &&
        isIn(type.memoryMib, memoryMib) &&
        isIn(type.gpus, gpus) &&
        isIn(type.gpuMemoryMib, gpuMemoryMib) &&
        isIn(type.networkInterfaces, networkInterfaces) &&
        hasRatio(type, wishes.memoryPerVcpuMib) &&
        isOfKind(type, wishes),
    )
    .toSorted((a, b) => a.vcpus - b.vcpus || a.memoryMib - b.memoryMib || (a.name < b.name ? -1 : 1))
    .slice(0, maxResults);
}

function hasRatio({ vcpus, memoryMib }: InstanceType, wanted: number | undefined): boolean {
  if (wanted === undefined) return true;
  return Math.abs(memoryMib / vcpus - wanted) <= wanted * RATIO_TOLERANCE;
}

function isOfKind(type: InstanceType, wishes: TypeWishes): boolean {
  return (
    type.architectures.includes(wishes.architecture) &&
    type.usageClasses.includes(wishes.usageClass) &&
    (wishes.placementStrategy === undefined || type.placementStrategies.includes(wishes.placementStrategy)) &&
    isWished(type.isBurstable, wishes.isBurstable) &&
    isWished(type.hasEna, wishes.hasEna) &&
    (wishes.onlyCurrent !== true || (type.isCurrent && !type.isBareMetal)) &&
    (wishes.allowed === undefined || wishes.allowed.test(type.name)) &&
    (wishes.denied === undefined || !wishes.denied.test(type.name))
  );
}

/** As kops has it: 4 processors with twice as many GiB of memory, of a type that is not outdated. */
const FLEXIBLE = { vcpus: { min: 4, max: 4 }, memoryPerVcpuMib: 2048 };

/** The same wishes for several current types, with a size unless one is asked for. Pure. */
export function flexibly(wishes: TypeWishes): TypeWishes {
  const hasSize = wishes.vcpus !== undefined || wishes.memoryMib !== undefined;
  const { memoryPerVcpuMib = hasSize ? undefined : FLEXIBLE.memoryPerVcpuMib, isBurstable = false } = wishes;
  const { vcpus = hasSize ? undefined : FLEXIBLE.vcpus } = wishes;
  return { ...wishes, ...(vcpus !== undefined && { vcpus }), memoryPerVcpuMib, isBurstable, onlyCurrent: true };
}

/** Wishes for types that are much like another one. */
export const like = ({ vcpus, memoryMib, gpus }: InstanceType): Pick<TypeWishes, 'vcpus' | 'memoryMib' | 'gpus'> => ({
  vcpus: { min: vcpus, max: vcpus },
  memoryMib: { min: memoryMib * (1 - RATIO_TOLERANCE), max: memoryMib * (1 + RATIO_TOLERANCE) },
  gpus: { min: gpus, max: gpus },
});
