import type { ContainerdConfig } from '@kopsctl/spec/cluster.ts';

/** A program that talks to containerd, for people on the machine. */
export interface RuntimeTool {
  /** The name of the program and of its asset. */
  readonly name: 'crictl' | 'nerdctl';
  readonly version: string;
}

/** What the spec wants besides containerd (kops pkg/nodemodel/fileassets.go). nerdctl comes with containerd, crictl with any. */
export function runtimeTools(settings: ContainerdConfig): readonly RuntimeTool[] {
  const { installCriCtl, installNerdCtl, skipInstall } = settings;
  return [
    // The releases that kops has the hashes of (kops pkg/nodemodel/wellknownassets).
    ...(installCriCtl === true ? [{ name: 'crictl', version: '1.29.0' } as const] : []),
    ...(installNerdCtl === true && skipInstall !== true ? [{ name: 'nerdctl', version: '1.7.4' } as const] : []),
  ];
}
