/** A type of machines that a cloud offers. */
export interface InstanceType {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly architectures: readonly ('amd64' | 'arm64')[];
  readonly gpus: number;
  readonly gpuMemoryMib: number;
  readonly networkInterfaces: number;
  readonly isBurstable: boolean;
  /** Its cloud recommends no newer type in its place. */
  readonly isCurrent: boolean;
  readonly isBareMetal: boolean;
  readonly usageClasses: readonly string[];
  readonly placementStrategies: readonly string[];
  readonly hasEna: boolean;
}
