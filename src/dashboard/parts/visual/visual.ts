/** How text looks. */
export type LookKind = 'bold' | 'italic' | 'underline' | 'strike' | 'code'

/** What a paragraph is. */
export type BlockKind = 'paragraph' | 'heading1' | 'heading2' | 'heading3' | 'bulletList' | 'orderedList' | 'blockquote'

/** Where something stands in its line. */
export type Align = 'left' | 'center' | 'right'

/** What is inserted, moved and removed as a whole. */
export interface InsertedNode {
  type: 'variable' | 'button' | 'image'
  attrs: Record<string, string>
}

/** What is where the cursor stands. */
export interface Place {
  looks: LookKind[]
  block: BlockKind
  align: Align
  /** Where the text leads; '' for nowhere. */
  href: string
  /** The variable, button or picture that is selected. */
  node: InsertedNode | undefined
  canUndo: boolean
  canRedo: boolean
}

/** An editor of a document. */
export interface Visual {
  /** Replaces the document, as when another version was loaded. */
  write(text: string): void
  look(kind: LookKind): void
  block(kind: BlockKind): void
  /** Places what is selected. */
  align(to: Align): void
  insert(node: InsertedNode | { type: 'horizontalRule' }): void
  /** Changes what is selected. */
  replace(node: InsertedNode): void
  /** Removes what is selected. */
  remove(): void
  /** Makes what is selected a link; '' makes it none. */
  link(href: string): void
  step(way: 'undo' | 'redo'): void
  close(): void
}
