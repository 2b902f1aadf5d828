/**
 * A kernel parameter by its name in `/proc/sys`, or the other way round (sysctl.d(5)): dots separate in one and slashes in the
 * other, and each stands for the other one within a part, such as the interface `eth0.100`.
 */
export const swapSeparators = (name: string): string => name.replaceAll(/[./]/g, (one) => (one === '.' ? '/' : '.'));
