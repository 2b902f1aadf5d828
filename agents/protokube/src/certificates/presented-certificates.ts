import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';

/** The most that are reported: a control plane with every addon has fewer than thirty. */
const MAX_CERTIFICATES = 40;

/**
 * Where the certificates of a machine are, by name: those that nodeup issues from its plan, and those that node authorities sign for
 * its kubelet. Pure.
 *
 * @param plan absent until nodeup has it
 * @throws if it is not a plan
 */
export function presentedCertificates(
  plan: Uint8Array | undefined,
  where: string,
  identity: ProtokubeConfig['identity'],
): ReadonlyMap<string, string> {
  const tasks = plan === undefined ? [] : parsePlan(plan, where).tasks;
  const issued = tasks.flatMap(({ kind, name, props: { certificatePath } }) =>
    kind === 'Certificate' && typeof certificatePath === 'string' ? [[name, certificatePath] as const] : [],
  );
  const signed =
    identity === undefined
      ? []
      : ([
          ['kubelet-client', `${identity.kubelet.client}.crt`],
          ['kubelet-serving', `${identity.kubelet.serving}.crt`],
        ] as const);
  return new Map([...signed, ...issued].slice(0, MAX_CERTIFICATES));
}
