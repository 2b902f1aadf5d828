import type { CfnRendering } from './kind.ts';

/**
 * The logical ids of the attachments of internet gateways that the stack creates. What has addresses of the internet, or routes
 * there, is created after them: EC2 refuses it in a VPC without a gateway, and no reference says so.
 */
export const attachedGateways = ({ tasks, idOf }: CfnRendering): readonly string[] =>
  tasks('aws/InternetGateway')
    .filter(({ props }) => !props.shared)
    .map(({ name }) => `${idOf('aws/InternetGateway', name)}Attachment`);
