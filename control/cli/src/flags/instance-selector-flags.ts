import type { SelectRequest } from '@kopsctl/actions/select-instances.ts';
import type { Range } from '@kopsctl/model/instance-types/select-types.ts';
import { usageError } from './usage-error.ts';

/** The flags of `toolbox instance-selector`, as commander hands them over; of ranges, the words that were given. */
export interface InstanceSelectorOptions {
  readonly [range: string]: unknown;
  readonly allowList?: string;
  readonly denyList?: string;
  readonly baseInstanceType?: string;
  readonly burstSupport?: boolean;
  readonly clusterAutoscaler?: boolean;
  readonly cpuArchitecture: 'amd64' | 'x86_64' | 'arm64';
  readonly dryRun?: boolean;
  readonly enaSupport?: boolean;
  readonly flexible?: boolean;
  readonly igCount?: number;
  readonly maxResults: number;
  readonly nodeCountMax: number;
  readonly nodeCountMin: number;
  readonly nodeSecurityGroups?: readonly string[];
  readonly nodeVolumeSize?: number;
  readonly output: 'yaml' | 'json';
  readonly placementGroupStrategy?: string;
  readonly subnets?: readonly string[];
  readonly usageClass: string;
  readonly vcpusToMemoryRatio?: string;
}

/** What the flags ask for. @throws ActionableError that names the flag that cannot be read */
export function selectRequestOf(name: string, options: InstanceSelectorOptions): SelectRequest {
  const { vcpusToMemoryRatio: ratio } = options;
  return {
    name,
    subnets: options.subnets ?? [],
    types: {
      ...rangeOf(options, 'vcpus', countOf),
      ...rangeOf(options, 'memory', mibOf, 'memoryMib'),
      ...rangeOf(options, 'gpus', countOf),
      ...rangeOf(options, 'gpuMemory', mibOf, 'gpuMemoryMib'),
      ...rangeOf(options, 'networkInterfaces', countOf),
      ...(ratio !== undefined && { memoryPerVcpuMib: ratioOf(ratio) }),
      architecture: options.cpuArchitecture === 'x86_64' ? 'amd64' : options.cpuArchitecture,
      usageClass: options.usageClass,
      placementStrategy: options.placementGroupStrategy,
      isBurstable: options.burstSupport,
      hasEna: options.enaSupport,
      allowed: patternOf(options.allowList, '--allow-list'),
      denied: patternOf(options.denyList, '--deny-list'),
      maxResults: options.maxResults,
    },
    baseType: options.baseInstanceType,
    isFlexible: options.flexible ?? false,
    groups: options.igCount ?? 1,
    dryRun: options.dryRun ?? false,
    minSize: options.nodeCountMin,
    maxSize: options.nodeCountMax,
    isSpot: options.usageClass === 'spot',
    volumeSizeGib: options.nodeVolumeSize,
    securityGroups: options.nodeSecurityGroups ?? [],
    isAutoscaled: options.clusterAutoscaler ?? true,
  };
}

/** `--vcpus 4` is both ends; `--vcpus-min` and `--vcpus-max` are one each. */
function rangeOf(
  options: InstanceSelectorOptions,
  flag: string,
  parse: (text: string, flag: string) => number,
  as = flag,
): Readonly<Record<string, Range>> {
  const read = (name: string) => {
    const text = options[name];
    return typeof text === 'string' ? parse(text, name) : undefined;
  };
  const both = read(flag);
  const [min, max] = [read(`${flag}Min`) ?? both, read(`${flag}Max`) ?? both];
  return min === undefined && max === undefined ? {} : { [as]: { min, max } };
}

function countOf(text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw unreadable(flag, text, 'write a whole number');
}

const MIB_OF_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  mb: 1,
  mib: 1,
  gb: 1024,
  gib: 1024,
  tb: 1024 ** 2,
  tib: 1024 ** 2,
};

/** As kops reads it: a number alone is MiB, and `gb` is 1024 of them. */
function mibOf(text: string, flag: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = MIB_OF_UNIT[unit.toLowerCase()];
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor;
  throw unreadable(flag, text, 'write a number and mb, gb or tb, e.g. 4gb');
}

function ratioOf(text: string): number {
  const [, vcpus = '0', gib = '0'] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (Number(vcpus) > 0 && Number(gib) > 0) return (Number(gib) / Number(vcpus)) * 1024;
  throw unreadable('vcpus-to-memory-ratio', text, 'write processors and GiB of memory, e.g. 1:2');
}

function patternOf(text: string | undefined, flag: string): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    return new RegExp(text);
  } catch (error) {
    throw usageError({
      what: `read ${flag}`,
      why: `'${text}' is not a valid regular expression`,
      next: 'write one like ^m5\\.',
      cause: error,
    });
  }
}

const unreadable = (flag: string, text: string, next: string) =>
  usageError({
    what: `read --${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    why: `it is '${text}'`,
    next,
  });
