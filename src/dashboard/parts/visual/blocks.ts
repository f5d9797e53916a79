import { Extension } from '@tiptap/core'
import { Heading } from '@tiptap/extension-heading'
import type { Align } from './visual.ts'

const levels = [1, 2, 3] as const

/** A heading of the email. The page has its own, so that in the editor it is one level lower. */
export const HeadingNode = Heading.extend({
  parseHTML: () => [
    ...levels.map((level) => ({ tag: `[data-level="${level}"]`, attrs: { level }, priority: 60 })),
    ...levels.map((level) => ({ tag: `h${level}`, attrs: { level } })),
  ],
  renderHTML: ({ node, HTMLAttributes }) => [`h${node.attrs.level + 1}`, { ...HTMLAttributes, 'data-level': node.attrs.level }, 0],
}).configure({ levels: [...levels] })

/** What can be placed in its line. */
export const alignedTypes = ['paragraph', 'heading', 'image', 'button'] as const

const others: Align[] = ['center', 'right']
const keys: Record<string, Align> = { 'Mod-Shift-l': 'left', 'Mod-Shift-e': 'center', 'Mod-Shift-r': 'right' }

/** Lets blocks stand at the left, in the middle or at the right; nothing is said of the left. */
export const Alignment = Extension.create({
  name: 'alignment',
  addGlobalAttributes: () => [
    {
      types: [...alignedTypes],
      attributes: {
        align: {
          default: null,
          parseHTML: (element) => {
            const given = element.getAttribute('data-align') ?? (element.style.textAlign || element.getAttribute('align'))
            return others.find((align) => align === given) ?? null
          },
          renderHTML: ({ align }) => (align ? { 'data-align': align } : {}),
        },
      },
    },
  ],
  addKeyboardShortcuts() {
    const shortcut = (align: Align) => () =>
      alignedTypes.map((type) => this.editor.commands.updateAttributes(type, aligned(align))).some(Boolean)
    return Object.fromEntries(Object.entries(keys).map(([key, align]) => [key, shortcut(align)]))
  },
})

/** The attributes of what is placed. */
export function aligned(align: Align): { align: Align | null } {
  return { align: align === 'left' ? null : align }
}
