import type { CfnRendering } from './kind.ts';

/**
 * The logical ids of the attachments of internet gateways that the stack creates. Resources that have addresses of the
 * internet, or routes to it, are created after them: EC2 refuses such resources in a VPC without a gateway, and no reference
 * expresses this dependency.
 */
export const attachedGateways = ({ tasks, idOf }: CfnRendering): readonly string[] =>
  tasks('aws/InternetGateway')
    .filter(({ props }) => !props.shared)
    .map(({ name }) => `${idOf('aws/InternetGateway', name)}Attachment`);
