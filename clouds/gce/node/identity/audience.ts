/**
 * The audience of a token: one cluster's authority, and one challenge of it. Google signs a token for every audience that a
 * machine asks for, so a token is worth nothing elsewhere, and cannot have been made before the challenge.
 */
export const audienceOf = (cluster: string, challenge: Uint8Array): string =>
  `kops-node-authority:${cluster}:${Buffer.from(challenge).toString('base64url')}`;
