import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { errorName } from '@kopsctl/clouds/aws/handlers/aws-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';

/** How much of a kind of resource is ours to do (kops upup/pkg/fi/lifecycle.go). */
export const LIFECYCLES = [
  'Sync',
  'Ignore',
  'WarnIfInsufficientAccess',
  'ExistsAndValidates',
  'ExistsAndWarnIfChanges',
] as const;

export type Lifecycle = (typeof LIFECYCLES)[number];

/** By kind of task; kinds that are not named are Sync. */
export type Lifecycles = ReadonlyMap<string, Lifecycle>;

export const PHASES = ['network', 'security', 'cluster'] as const;
export type Phase = (typeof PHASES)[number];

/** kops's names of kinds, and the phase in which each is made. */
const KINDS: readonly (readonly [kind: string, kopsName: string, phase: Phase])[] = [
  ['aws/Vpc', 'VPC', 'network'],
  ['aws/VpcCidrBlock', 'VPCCIDRBlock', 'network'],
  ['aws/DhcpOptions', 'DHCPOptions', 'network'],
  ['aws/DhcpOptionsAssociation', 'VPCDHCPOptionsAssociation', 'network'],
  ['aws/InternetGateway', 'InternetGateway', 'network'],
  ['aws/EgressOnlyInternetGateway', 'EgressOnlyInternetGateway', 'network'],
  ['aws/Subnet', 'Subnet', 'network'],
  ['aws/RouteTable', 'RouteTable', 'network'],
  ['aws/Route', 'Route', 'network'],
  ['aws/RouteTableAssociation', 'RouteTableAssociation', 'network'],
  ['aws/ElasticIp', 'ElasticIP', 'network'],
  ['aws/NatGateway', 'NatGateway', 'network'],
  ['aws/SecurityGroup', 'SecurityGroup', 'security'],
  ['aws/SecurityGroupRule', 'SecurityGroupRule', 'security'],
  ['aws/KeyPair', 'SSHKey', 'security'],
  ['aws/IamRole', 'IAMRole', 'security'],
  ['aws/IamRolePolicy', 'IAMRolePolicy', 'security'],
  ['aws/IamRolePolicyAttachment', 'IAMRolePolicyAttachment', 'security'],
  ['aws/InstanceProfile', 'IAMInstanceProfile', 'security'],
  ['aws/OidcProvider', 'IAMOIDCProvider', 'security'],
  // Policies speak of them.
  ['aws/HostedZone', 'DNSZone', 'security'],
  ['aws/Queue', 'SQS', 'security'],
  ['aws/HostedZoneAssociation', 'DNSZoneAssociation', 'cluster'],
  ['aws/DnsRecord', 'DNSName', 'cluster'],
  ['aws/ReservedNames', 'DNSPlaceholder', 'cluster'],
  ['aws/Volume', 'EBSVolume', 'cluster'],
  ['aws/LaunchTemplate', 'LaunchTemplate', 'cluster'],
  ['aws/AutoscalingGroup', 'AutoscalingGroup', 'cluster'],
  ['aws/LifecycleHook', 'AutoscalingLifecycleHook', 'cluster'],
  ['aws/LoadBalancer', 'NetworkLoadBalancer', 'cluster'],
  ['aws/TargetGroup', 'TargetGroup', 'cluster'],
  ['aws/Listener', 'NetworkLoadBalancerListener', 'cluster'],
  ['aws/EventRule', 'EventBridgeRule', 'cluster'],
  ['aws/EventTarget', 'EventBridgeTarget', 'cluster'],
  ['Keyset', 'Keypair', 'cluster'],
  ['Secret', 'Secret', 'cluster'],
  ['ManagedFile', 'ManagedFile', 'cluster'],
];

/** The phase of a kind; those of clouds without phases are all of the last. */
export const phaseOf = (kind: string): Phase => KINDS.find(([one]) => one === kind)?.[2] ?? 'cluster';

/** Reads `--lifecycle-overrides IAMRole=ExistsAndWarnIfChanges`; kinds by kops's names or ours, in any case. */
export function parseLifecycles(overrides: readonly string[]): Lifecycles {
  return new Map(
    overrides.map((override): [string, Lifecycle] => {
      const [name = '', wanted = ''] = override.split('=');
      const same = (text: string) => text.toLowerCase() === name.toLowerCase();
      const kind = KINDS.find(([ours, kops]) => same(ours) || same(kops))?.[0];
      const lifecycle = LIFECYCLES.find((one) => one.toLowerCase() === wanted.toLowerCase());
      if (kind !== undefined && lifecycle !== undefined) return [kind, lifecycle];
      throw new ActionableError({
        what: `read --lifecycle-overrides ${override}`,
        why: kind === undefined ? `there is no kind ${name}` : `there is no lifecycle ${wanted || '(nothing)'}`,
        next:
          kind === undefined
            ? `use one of ${KINDS.map(([, kops]) => kops).join(', ')}`
            : `use one of ${LIFECYCLES.join(', ')}`,
      });
    }),
  );
}

/** The lifecycles of a phase: what earlier phases made must be there, and is not changed. */
export function lifecyclesOf(phase: Phase | undefined, overrides: Lifecycles): Lifecycles {
  if (phase === undefined) return overrides;
  const earlier = KINDS.filter(([, , of]) => PHASES.indexOf(of) < PHASES.indexOf(phase));
  return new Map([...earlier.map(([kind]): [string, Lifecycle] => [kind, 'ExistsAndWarnIfChanges']), ...overrides]);
}

/** Whether a kind has its turn in a phase or had it before. */
export const isDue = (kind: string, phase: Phase | undefined): boolean =>
  phase === undefined || PHASES.indexOf(phaseOf(kind)) <= PHASES.indexOf(phase);

/** The handlers, each doing as much as its kind's lifecycle lets it. What is not Sync is never deleted either. */
export function withLifecycles<Env>(
  handlers: readonly Handler<Env>[],
  lifecycles: Lifecycles,
): readonly Handler<Env>[] {
  return handlers.map((handler) => {
    const lifecycle = lifecycles.get(handler.kind) ?? 'Sync';
    return lifecycle === 'Sync' ? handler : limited(handler, lifecycle);
  });
}

const summaries = (steps: readonly Step[]): string => steps.map(({ summary }) => summary).join('; ');

function limited<Env>(handler: Handler<Env>, lifecycle: Exclude<Lifecycle, 'Sync'>): Handler<Env> {
  const only: Handler<Env> = { ...handler };
  delete only.listOwned;
  delete only.remove;
  switch (lifecycle) {
    case 'Ignore':
      return { ...only, plan: () => [] };
    case 'WarnIfInsufficientAccess':
      return {
        ...only,
        find: async (name, props, env, signal) => {
          try {
            return await handler.find(name, props, env, signal);
          } catch (thrown) {
            if (!(thrown instanceof PermanentError) || !FORBIDDEN.test(errorName(thrown.cause))) throw thrown;
            return { forbidden: thrown.message } satisfies Forbidden;
          }
        },
        plan: (name, props, found) => (isForbidden(found) ? [] : handler.plan(name, props, found)),
        outputs: (name, props, found) => (isForbidden(found) ? {} : (handler.outputs?.(name, props, found) ?? {})),
        warnings: (name, props, found) =>
          isForbidden(found) ? [found.forbidden] : (handler.warnings?.(name, props, found) ?? []),
      };
    case 'ExistsAndValidates':
      return {
        ...only,
        plan(name, props, found) {
          const steps = handler.plan(name, props, found);
          if (steps.length > 0) throw notAsWanted(handler.kind, name, steps);
          return [];
        },
      };
    case 'ExistsAndWarnIfChanges':
      return {
        ...only,
        plan(name, props, found) {
          if (found === undefined) throw notAsWanted(handler.kind, name, handler.plan(name, props, found));
          return [];
        },
        warnings(name, props, found) {
          const steps = found === undefined ? [] : handler.plan(name, props, found);
          const own = handler.warnings?.(name, props, found) ?? [];
          return steps.length === 0 ? own : [...own, `is not as wanted, and left as it is: would ${summaries(steps)}`];
        },
      };
  }
}

const FORBIDDEN = /AccessDenied|UnauthorizedOperation|NotAuthorized|EACCES|EPERM/;

interface Forbidden {
  readonly forbidden: string;
}

const isForbidden = (found: unknown): found is Forbidden =>
  typeof found === 'object' && found !== null && typeof Reflect.get(found, 'forbidden') === 'string';

const notAsWanted = (kind: string, name: string, steps: readonly Step[]) =>
  new PermanentError({
    what: `use ${kind}/${name} as it is`,
    why: `it is not as wanted: would ${summaries(steps)}`,
    next: 'run the phase that makes it, or give its kind the lifecycle Sync',
  });
