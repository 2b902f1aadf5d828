import type { Origins } from '@kopsctl/spec/complete.ts';
import { parseImage } from '@kopsctl/spec/image-reference.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { replacedNote } from '../assets/replaced.ts';
import type { RunnableAddons } from './runnable-addons.ts';

interface Remarks {
  /** Addons that the user asked for and that cannot be installed. */
  readonly faults: readonly Fault[];
  /** Sentences about default addons that are left out, and about replaced images. */
  readonly notes: readonly string[];
}

/** The names that `npm run assets` has for images are the last parts of their repositories. */
const imageNames = (images: readonly string[]): string =>
  images.map((image) => parseImage(image).repository.split('/').at(-1)).join(',');

/**
 * Tells the user about addons whose images the prepared assets do not hold.
 *
 * @param origins the rule that set each field of the spec: the user wrote every field that is not listed
 */
export function addonRemarks({ leftOut, replaced }: RunnableAddons, origins: Origins): Remarks {
  const isWished = (askedBy: string | undefined): askedBy is string =>
    askedBy !== undefined && origins[askedBy] === undefined;
  return {
    faults: leftOut.flatMap(({ addon: { askedBy, name }, images }) =>
      isWished(askedBy)
        ? [
            fault(
              askedBy,
              `${name} needs ${images.join(', ')}, which the prepared assets do not hold`,
              `prepare it with \`npm run assets -- --images ${imageNames(images)}\`, or leave it out`,
            ),
          ]
        : [],
    ),
    notes: [
      ...leftOut.flatMap(({ addon: { askedBy, name }, images }) =>
        isWished(askedBy)
          ? []
          : [
              `Left out: ${name} needs ${images.join(', ')}, which the prepared assets do not hold (prepare it with \`npm run assets\`)`,
            ],
      ),
      ...replaced.map(replacedNote),
    ],
  };
}
