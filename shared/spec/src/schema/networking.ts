import { object, type ValueOf } from './field.ts';
import { calico, canal } from './networking-calico.ts';
import { cilium } from './networking-cilium.ts';
import { amazonVpc, cni, lyftVpc } from './networking-clouds.ts';
import { flannel, kindnet, kubeRouter, romana, weave } from './networking-overlays.ts';

export const networking = object({
  amazonvpc: amazonVpc,
  calico,
  canal,
  cilium,
  classic: object({}),
  cni,
  external: object({}),
  flannel,
  gce: object({ cilium }),
  kindnet,
  kopeio: object({}),
  kubenet: object({}),
  kuberouter: kubeRouter,
  lyftvpc: lyftVpc,
  romana,
  weave,
});

/** The pod network: exactly one of these is set. */
export interface NetworkingSpec extends ValueOf<typeof networking> {}
