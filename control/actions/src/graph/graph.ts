/** A picture of what depends on what. Ids are unique within it. */
export interface PictureGraph {
  readonly title: string;
  readonly nodes: readonly GraphPart[];
  /** From what is needed to what needs it, or from what contains to what is contained. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label?: string }[];
}

export interface GraphPart {
  readonly id: string;
  readonly label: string;
  /** Parts of one kind look the same. */
  readonly kind: string;
}
