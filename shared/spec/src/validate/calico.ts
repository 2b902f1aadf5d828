import type { CalicoNetworking, ClusterSpec } from '../cluster.ts';
import { parseCidr } from '../cidr.ts';
import { isIpv6Alone } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** Settings of Calico that do not go with each other, or with the cluster (kops pkg/apis/kops/validation/validation.go). */
export function* validateCalico(spec: ClusterSpec): Iterable<Fault> {
  const calico = spec.networking?.calico;
  if (calico === undefined) return;
  for (const [field, message, hint] of [
    ...tunnels(calico, isIpv6Alone(spec)),
    ...detection(calico),
    ...others(calico, spec),
  ]) {
    yield fault(`spec.networking.calico.${field}`, message, hint);
  }
}

/** A field below `spec.networking.calico`, what is wrong with it, and what to do. */
type CalicoFault = readonly [field: string, message: string, hint: string];

/** Which tunnels there are between machines. */
function* tunnels(calico: CalicoNetworking, isIpv6: boolean): Iterable<CalicoFault> {
  const { encapsulationMode = '' } = calico;
  if (encapsulationMode !== '' && encapsulationMode !== 'none' && isIpv6) {
    yield ['encapsulationMode', `${encapsulationMode} does not carry IPv6, which is all that pods have`, 'write none'];
  }
  if (encapsulationMode === 'none' && !isIpv6) {
    yield ['encapsulationMode', 'without a tunnel, nothing routes IPv4 to pods', 'write ipip or vxlan'];
  }
  for (const [field, tunnel] of [
    ['ipipMode', 'ipip'],
    ['vxlanMode', 'vxlan'],
  ] as const) {
    const mode = calico[field] ?? '';
    if (mode === '' || mode === 'Never' || encapsulationMode === '' || encapsulationMode === tunnel) continue;
    yield [field, `${mode} needs encapsulationMode ${tunnel}, not ${encapsulationMode}`, 'write Never, or remove it'];
  }
}

const METHODS =
  'first-found, kubernetes-internal-ip, can-reach=ADDRESS, interface=REGEX,…, skip-interface=REGEX,… or cidr=RANGE,…';

/** How Calico chooses among the addresses of a machine; `none` for a family that pods do not have. */
function* detection(calico: CalicoNetworking): Iterable<CalicoFault> {
  for (const [field, family] of [
    ['ipv4AutoDetectionMethod', 'ipv4'],
    ['ipv6AutoDetectionMethod', 'ipv6'],
  ] as const) {
    const method = calico[field] ?? '';
    if (method === '' || isMethod(method, family)) continue;
    yield [field, `'${method}' is not a way to find the ${family} address of a machine`, METHODS];
  }
}

function isMethod(text: string, family: 'ipv4' | 'ipv6'): boolean {
  const [method, value, ...more] = text.split('=');
  if (more.length > 0) return false;
  const items = (value ?? '').split(',').map((item) => item.trim());
  switch (method) {
    case 'none':
    case 'first-found':
    case 'kubernetes-internal-ip':
      return value === undefined;
    case 'can-reach':
      return parseCidr(`${value}/${family === 'ipv4' ? 32 : 128}`)?.family === family;
    case 'interface':
    case 'skip-interface':
      return items.every((item) => item !== '');
    case 'cidr':
      return items.every((item) => parseCidr(item)?.family === family);
    default:
      return false;
  }
}

function* others(calico: CalicoNetworking, spec: ClusterSpec): Iterable<CalicoFault> {
  const { awsSrcDstCheck = '', typhaReplicas = 0 } = calico;
  if (!['', 'DoNothing'].includes(awsSrcDstCheck) && isIpv6Alone(spec)) {
    yield ['awsSrcDstCheck', `${awsSrcDstCheck} does not apply to IPv6`, 'write DoNothing, or remove this field'];
  }
  if (calico.bpfEnabled === true && spec.kubeProxy?.enabled !== false) {
    yield ['bpfEnabled', 'it replaces kube-proxy, which is still enabled', 'set spec.kubeProxy.enabled: false'];
  }
  if (calico.wireguardEnabled === true && isIpv6Alone(spec)) {
    yield ['wireguardEnabled', 'pods that have only IPv6 are not encrypted', 'remove this field'];
  }
  if (typhaReplicas < 0) yield ['typhaReplicas', `${typhaReplicas} is negative`, 'write 0 for a cluster without Typha'];
}
