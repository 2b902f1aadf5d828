import { COMPILES_NOTHING, hardened } from '@kopsctl/node-plan/service-hardening.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isIpv6Only } from '../discovery.ts';
import { bootScript } from './boot-script.ts';
import type { NodeContext } from './node-context.ts';

const NAME = 'router-advertisements';

/** Once the machine forwards IPv6, a default route that the kernel has from a router is gone, unless this has run before. */
export const ROUTER_ADVERTISEMENTS = `Service/${NAME}.service` as const;

/**
 * A machine that forwards IPv6 is a router, and the kernel of a router ignores what other routers advertise: 1 means unless it
 * forwards, 2 means also then (Linux, ip-sysctl: accept_ra). Only where the distribution leaves that to the kernel (kops
 * nodeup/pkg/model/sysctls.go: Debian 11) is it 1: systemd-networkd and NetworkManager listen themselves and set it to 0. The
 * setting for all interfaces does not count for one that exists, and pods must not be listened to.
 */
export const routerAdvertisements = (node: NodeContext): readonly Task[] =>
  isIpv6Only(node)
    ? bootScript({
        name: NAME,
        description: 'Keep the routes that routers advertise',
        before: 'kubelet.service',
        lines: [
          "accept='/proc/sys/net/ipv6/conf/@{primaryInterface}/accept_ra'",
          'if [ "$(cat "$accept")" = 1 ]; then echo 2 >"$accept"; fi',
        ],
        rights: `MemoryMax=64M\n${hardened({ capabilities: ['CAP_NET_ADMIN'] })}${COMPILES_NOTHING}`,
        needs: [],
      })
    : [];
