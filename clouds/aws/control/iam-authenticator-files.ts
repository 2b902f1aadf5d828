/** What the plan of a machine, the completed spec and the addon have in common about aws-iam-authenticator. */

/** Tells the API server which webhook it asks about tokens that it does not know. */
export const IAM_AUTHENTICATION_CONFIG = '/etc/kubernetes/authn.config';
/** The certificate with which aws-iam-authenticator proves itself to the API server, for the user that it runs as. */
export const IAM_AUTHENTICATOR_DIR = '/srv/kubernetes/aws-iam-authenticator';
export const IAM_AUTHENTICATOR_UID = 10_000;
