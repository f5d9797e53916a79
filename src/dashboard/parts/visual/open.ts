import { type ChainedCommands, Editor } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Italic } from '@tiptap/extension-italic'
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Dropcursor, Gapcursor, UndoRedo } from '@tiptap/extensions'
import { NodeSelection } from '@tiptap/pm/state'
import { Alignment, aligned, alignedTypes, HeadingNode } from './blocks.ts'
import { type DocumentNode, textOfDocument } from './document.ts'
import { createEchoes } from './echoes.ts'
import { ButtonNode, ImageNode, LinkMark, VariableNode } from './nodes.ts'
import type { BlockKind, InsertedNode, LookKind, Place, Visual } from './visual.ts'

// Without the starter kit, which brings a parser of addresses and blocks of code.
const extensions = [
  Document,
  Paragraph,
  Text,
  HeadingNode,
  Alignment,
  Bold,
  Italic,
  Underline,
  Strike,
  Code,
  HardBreak,
  HorizontalRule,
  Blockquote,
  BulletList,
  OrderedList,
  ListItem,
  ListKeymap,
  UndoRedo,
  Gapcursor,
  Dropcursor.configure({ color: false, class: 'visual-drop' }),
  LinkMark,
  VariableNode,
  ButtonNode,
  ImageNode,
]

interface Options {
  label: string
  text: string
  onChange(text: string): void
  onPlace(place: Place): void
}

/** Opens an editor of a document in an element. */
export function openVisual(element: HTMLElement, { label, text, onChange, onPlace }: Options): Visual {
  const echoes = createEchoes(text)
  const editor = new Editor({
    element,
    injectCSS: false,
    content: JSON.parse(text) as DocumentNode,
    extensions,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: 'visual-content' },
      // Over what is selected the browser would insert a span with a style, which the content policy refuses.
      handleDOMEvents: {
        beforeinput: (view, event) => {
          const { selection, tr } = view.state
          if (event.inputType !== 'insertText' || !event.data || selection.empty || view.composing) return false
          event.preventDefault()
          view.dispatch(tr.insertText(event.data).scrollIntoView())
          return true
        },
      },
    },
    onUpdate({ editor: changed }) {
      const next = textOfDocument(changed.getJSON())
      echoes.said(next)
      onChange(next)
    },
    onTransaction: ({ editor: moved }) => onPlace(placeOf(moved)),
  })
  onPlace(placeOf(editor))
  return {
    write(next) {
      if (!echoes.isOne(next) && textOfDocument(editor.getJSON()) !== next)
        editor.commands.setContent(JSON.parse(next) as DocumentNode, { emitUpdate: false })
    },
    look: (kind) => void onward(editor).toggleMark(kind).run(),
    block: (kind) => void blocks[kind](editor),
    align(to) {
      const chain = onward(editor)
      for (const type of alignedTypes) chain.updateAttributes(type, aligned(to))
      chain.run()
    },
    insert(node) {
      const { selection, doc } = editor.state
      // A block at the end gets a line after it, to write on.
      const isAtEnd = node.type !== 'variable' && selection.$to.index(0) >= doc.childCount - 1
      const content = isAtEnd ? [node, { type: 'paragraph' }] : node
      const chain = editor.chain().focus()
      // After what is selected, and not in its place.
      if (selection instanceof NodeSelection) chain.insertContentAt(selection.to, content).run()
      else chain.insertContent(content).run()
    },
    replace(node) {
      editor.chain().focus().updateAttributes(node.type, node.attrs).run()
    },
    remove: () => void editor.chain().focus().deleteSelection().run(),
    link(href) {
      const chain = editor.chain().focus().extendMarkRange('link')
      if (href === '') chain.unsetMark('link').run()
      else if (editor.state.selection.empty && !editor.isActive('link'))
        chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
      else chain.setMark('link', { href }).run()
    },
    step: (way) => void (way === 'undo' ? onward(editor).undo().run() : onward(editor).redo().run()),
    close: () => editor.destroy(),
  }
}

// A button of the toolbar gives the cursor back at once: TipTap's own `focus` waits for a frame, in which what is typed would be lost.
function onward(editor: Editor): ChainedCommands {
  editor.view.focus()
  return editor.chain().scrollIntoView()
}

const blocks: Record<BlockKind, (editor: Editor) => boolean> = {
  paragraph: (editor) => onward(editor).clearNodes().run(),
  heading1: (editor) => onward(editor).setHeading({ level: 1 }).run(),
  heading2: (editor) => onward(editor).setHeading({ level: 2 }).run(),
  heading3: (editor) => onward(editor).setHeading({ level: 3 }).run(),
  bulletList: (editor) => onward(editor).toggleBulletList().run(),
  orderedList: (editor) => onward(editor).toggleOrderedList().run(),
  blockquote: (editor) => onward(editor).toggleBlockquote().run(),
}

const lookKinds: LookKind[] = ['bold', 'italic', 'underline', 'strike', 'code']

function placeOf(editor: Editor): Place {
  return {
    looks: lookKinds.filter((kind) => editor.isActive(kind)),
    block: blockOf(editor),
    align: (['center', 'right'] as const).find((align) => editor.isActive({ align })) ?? 'left',
    href: String(editor.getAttributes('link').href ?? ''),
    node: nodeOf(editor),
    canUndo: editor.can().undo(),
    canRedo: editor.can().redo(),
  }
}

function blockOf(editor: Editor): BlockKind {
  for (const level of [1, 2, 3] as const) if (editor.isActive('heading', { level })) return `heading${level}`
  return (['bulletList', 'orderedList', 'blockquote'] as const).find((kind) => editor.isActive(kind)) ?? 'paragraph'
}

function nodeOf(editor: Editor): InsertedNode | undefined {
  const { selection } = editor.state
  const node = selection instanceof NodeSelection ? selection.node : undefined
  const type = (['variable', 'button', 'image'] as const).find((name) => name === node?.type.name)
  if (!type || !node) return undefined
  return { type, attrs: Object.fromEntries(Object.entries(node.attrs).map(([key, value]) => [key, String(value ?? '')])) }
}
