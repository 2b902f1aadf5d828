import { swapSeparators } from '@kopsctl/spec/sysctl-name.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { nodePortsOf } from '@kopsctl/spec/node-ports.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isIpv6Only } from '../discovery.ts';
import type { NodeContext } from './node-context.ts';
import { after, nodeTask, textFile } from './node-task.ts';
import { ROUTER_ADVERTISEMENTS } from './router-advertisements.ts';

const CONF = '/etc/sysctl.d/99-k8s-general.conf';

/** kops nodeup/pkg/model/sysctls.go, each with the reason given there. */
const GENERAL: Readonly<Record<string, string>> = {
  // Elasticsearch, mongo and others map many files (kops#1340).
  'vm.max_map_count': '1048576',
  // Restart a node that hangs (kubernetes#38001).
  'kernel.softlockup_panic': '1',
  'kernel.softlockup_all_cpu_backtrace': '1',
  // Many connections, quickly (kube-deploy#261, kops#10206).
  'net.core.somaxconn': '32768',
  'net.core.rmem_max': '16777216',
  'net.core.wmem_max': '16777216',
  'net.ipv4.tcp_wmem': '4096 87380 16777216',
  'net.ipv4.tcp_rmem': '4096 87380 16777216',
  'net.ipv4.tcp_max_syn_backlog': '8096',
  'net.ipv4.tcp_slow_start_after_idle': '0',
  'net.ipv4.tcp_tw_reuse': '1',
  'net.core.netdev_max_backlog': '16384',
  // Every container watches files as the same user.
  'fs.file-max': '2097152',
  'fs.inotify.max_user_instances': '8192',
  'fs.inotify.max_user_watches': '524288',
  // kubelet's --protect-kernel-defaults insists on these.
  'vm.overcommit_memory': '1',
  'kernel.panic': '10',
  'kernel.panic_on_oops': '1',
  'kernel.keys.root_maxkeys': '1000000',
  'kernel.keys.root_maxbytes': '25000000',
  // Pods reach Services through its iptables.
  'net.bridge.bridge-nf-call-iptables': '1',
};

/** The ports that no connection of the machine itself takes: kube-proxy listens on them (kops#6342). */
const reservedPorts = ({ spec }: NodeContext) => ({
  'net.ipv4.ip_local_reserved_ports': nodePortsOf(spec),
});

/** Packets of pods arrive on other interfaces than those by which answers leave (cilium#10645). */
const REVERSE_PATHS: Readonly<Record<string, string>> = { 'net.ipv4.conf.all.rp_filter': '0' };
/** For interfaces that come later: systemd sets these from the file. */
const REVERSE_PATHS_OF_PODS: Readonly<Record<string, string>> = {
  'net.ipv4.conf.lxc*.rp_filter': '0',
  'net.ipv4.conf.cilium_*.rp_filter': '0',
};

/** Kernel settings, now and at every boot. The spec's come last and win. */
export function sysctls(node: NodeContext): readonly Task[] {
  const custom = [...(node.spec.sysctlParameters ?? []), ...(node.instanceGroup.spec.sysctlParameters ?? [])];
  const isCilium = node.spec.networking?.cilium !== undefined;
  const values = {
    ...GENERAL,
    // Pods reach other nodes through this one's routes.
    [isIpv6Only(node) ? 'net.ipv6.conf.all.forwarding' : 'net.ipv4.ip_forward']: '1',
    ...reservedPorts(node),
    ...(isCilium && REVERSE_PATHS),
    ...node.cloud.sysctls,
    ...Object.fromEntries(custom.filter(isSetting).map(parseSetting)),
  };
  const lines = Object.entries({ ...(isCilium && REVERSE_PATHS_OF_PODS), ...values }).map(
    ([key, value]) => `${key} = ${value}`,
  );
  return [
    textFile(CONF, `# Kubernetes settings\n${lines.join('\n')}\n`),
    nodeTask('Sysctls', '99-k8s-general', {
      values,
      after: after('KernelModule/br_netfilter', ...(isIpv6Only(node) ? [ROUTER_ADVERTISEMENTS] : [])),
    }),
  ];
}

/** Lists are lines of a file for sysctl, which may hold comments. */
const isSetting = (line: string): boolean => !/^\s*([#;]|$)/.test(line);

function parseSetting(setting: string): readonly [string, string] {
  const [key, ...rest] = setting.split('=');
  if (key === undefined || key.trim() === '' || rest.length === 0) {
    throw new ActionableError({
      what: `set the kernel parameter "${setting}"`,
      why: 'it is not of the form name=value',
      next: 'write it as e.g. net.ipv4.tcp_keepalive_time=200 in spec.sysctlParameters',
    });
  }
  return [withDots(key.trim()), rest.join('=').trim()];
}

/** A name whose first separator is a slash is a path (sysctl.d(5)). */
const withDots = (name: string): string => (/^[^.]*\//.test(name) ? swapSeparators(name) : name);
