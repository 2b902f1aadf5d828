import {
  CreateListenerCommand,
  type Listener,
  ModifyListenerCommand,
  paginateDescribeListeners,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { resourceHandler } from './resource-handler.ts';
import { orNothing } from './load-balancing-tags.ts';

/** It is deleted with its load balancer. */
export const listenerHandler = resourceHandler<'aws/Listener', Listener>({
  kind: 'aws/Listener',
  noun: 'listener',
  within: ['loadBalancer'],
  async find({ props }, aws) {
    const found = await orNothing(
      (async () => {
        const all: Listener[] = [];
        const input = { LoadBalancerArn: props.loadBalancer };
        for await (const page of paginateDescribeListeners({ client: aws.loadBalancing }, input)) {
          all.push(...(page.Listeners ?? []));
        }
        return all;
      })(),
    );
    return found.find(({ Port }) => Port === props.port);
  },
  wanted: ({ protocol, certificate, sslPolicy, targetGroup }) => ({
    protocol,
    targetGroup,
    ...(certificate === undefined ? {} : { certificate }),
    ...(sslPolicy === undefined ? {} : { sslPolicy }),
  }),
  present: ({ Protocol = '', Certificates, SslPolicy, DefaultActions }, { certificate, sslPolicy }) => ({
    protocol: Protocol,
    targetGroup: DefaultActions?.[0]?.TargetGroupArn ?? '',
    ...(certificate === undefined || Certificates?.[0]?.CertificateArn === undefined
      ? {}
      : { certificate: Certificates[0].CertificateArn }),
    ...(sslPolicy === undefined || SslPolicy === undefined ? {} : { sslPolicy: SslPolicy }),
  }),
  async create({ props }, aws) {
    await aws.loadBalancing.send(
      new CreateListenerCommand({ LoadBalancerArn: props.loadBalancer, Port: props.port, ...listening(props) }),
    );
  },
  async update({ props }, { ListenerArn }, _changes, aws) {
    await aws.loadBalancing.send(new ModifyListenerCommand({ ListenerArn, Port: props.port, ...listening(props) }));
  },
});

const listening = ({ protocol, certificate, sslPolicy, targetGroup }: PropsOf<'aws/Listener'>) => ({
  Protocol: protocol,
  ...(certificate === undefined ? {} : { Certificates: [{ CertificateArn: certificate }] }),
  ...(sslPolicy === undefined ? {} : { SslPolicy: sslPolicy }),
  DefaultActions: [{ Type: 'forward' as const, TargetGroupArn: targetGroup }],
});
