/** Apart from all else that the package has: a bundle of this file leaves that out. */
export { Route53Client } from '@aws-sdk/client-route-53';
