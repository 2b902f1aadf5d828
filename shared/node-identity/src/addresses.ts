/** The port on which a machine waits for authorities. kops-controller of kops calls machines back on it. */
export const MACHINE_PORT = 3987;

/** The name in an authority's certificate. No resolver knows it: the authority comes to the machine. */
export const authorityName = (cluster: string): string => `node-authority.${cluster}`;

/** Whom the API server takes an authority for: the name in its client certificate. */
export const AUTHORITY_USER = 'kops:node-authority';

/**
 * Where protokube serves the authority beside it on a control plane. Only root and the authority's group enter the folder,
 * and root alone changes it.
 */
export const BROKER_SOCKET = '/run/kops-authority/broker.sock';
