/** The syntax of Go's time.ParseDuration. */
export const isDuration = (text: string): boolean =>
  /^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text);

/** A Kubernetes quantity: 100m, 1.5Gi, 2e3. */
export const isQuantity = (text: string): boolean =>
  /^[-+]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?\d+)?$/.test(text);

export const isInt32 = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
