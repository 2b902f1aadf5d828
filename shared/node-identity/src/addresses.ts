/** The port on which a machine waits for authorities. kops-controller of kops calls machines back on it. */
export const MACHINE_PORT = 3987;

/** The name in an authority's certificate. No resolver knows it: the authority comes to the machine. */
export const authorityName = (cluster: string): string => `node-authority.${cluster}`;

/** The user as which the API server knows an authority: the name in its client certificate. */
export const AUTHORITY_USER = 'kops:node-authority';

/**
 * Where protokube serves the authority beside it on a control plane. Only root and the authority's group may enter the
 * folder, and only root may change it.
 */
export const BROKER_SOCKET = '/run/kops-authority/broker.sock';
