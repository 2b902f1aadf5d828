/** Kubernetes' limit for names of Nodes (RFC 1123, subdomain). */
const MAX_CHARACTERS = 253;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a Node can have this name. Such a name is one part of a path, and never `..`. */
export const isNodeName = (name: string): boolean =>
  name.length <= MAX_CHARACTERS && name.split('.').every((label) => LABEL.test(label));
