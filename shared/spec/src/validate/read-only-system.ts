import { fault, type Fault } from './fault.ts';

/**
 * An image of an operating system on which no machine of a cluster starts (kops puts programs into another folder there,
 * nodeup/pkg/model/context.go).
 *
 * @param system as people call it, such as Flatcar
 */
export const readOnlySystem = (image: string, system: string): Fault =>
  fault(
    'spec.image',
    `'${image}' is ${system}, whose /usr is read-only: the programs of a node are in /usr/local/bin`,
    "use Ubuntu, Debian, Amazon Linux, or a distribution of Red Hat's family, such as Rocky Linux",
  );
