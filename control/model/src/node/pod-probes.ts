/** What kubelet asks of a component, which is in the host's network. */
export interface PodProbe {
  readonly port: number;
  /** Without it the probe only asks whether the port takes connections. */
  readonly path?: string;
  /** By default HTTPS. */
  readonly scheme?: 'HTTP' | 'HTTPS';
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

export interface PodProbes {
  /** The others begin once this one has succeeded. */
  readonly startup?: PodProbe;
  readonly readiness?: PodProbe;
  readonly liveness?: PodProbe;
}

/** The probes of a container. */
export const probesOf = ({ startup, readiness, liveness }: PodProbes) => ({
  ...(liveness && { livenessProbe: probe(liveness) }),
  ...(readiness && { readinessProbe: probe(readiness) }),
  ...(startup && { startupProbe: probe(startup) }),
});

function probe({ path, port, scheme = 'HTTPS', ...pace }: PodProbe) {
  const host = '127.0.0.1';
  return {
    ...(path === undefined ? { tcpSocket: { host, port } } : { httpGet: { host, path, port, scheme } }),
    ...pace,
    timeoutSeconds: 15,
  };
}
