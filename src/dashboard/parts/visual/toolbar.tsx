import { useState } from 'react'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Menu, MenuItem } from '../menu.tsx'
import { InsertDialog, type Inserting } from './insert.tsx'
import type { Align, BlockKind, LookKind, Place, Visual } from './visual.ts'

const looks: { kind: LookKind; label: string; sign: string }[] = [
  { kind: 'bold', label: 'Bold', sign: 'B' },
  { kind: 'italic', label: 'Italic', sign: 'I' },
  { kind: 'underline', label: 'Underline', sign: 'U' },
  { kind: 'strike', label: 'Strikethrough', sign: 'S' },
  { kind: 'code', label: 'Code', sign: '<>' },
]

const blocks: { kind: BlockKind; label: string }[] = [
  { kind: 'paragraph', label: 'Paragraph' },
  { kind: 'heading1', label: 'Heading 1' },
  { kind: 'heading2', label: 'Heading 2' },
  { kind: 'heading3', label: 'Heading 3' },
  { kind: 'bulletList', label: 'Bullet list' },
  { kind: 'orderedList', label: 'Numbered list' },
  { kind: 'blockquote', label: 'Quote' },
]

const aligns: { to: Align; label: string }[] = [
  { to: 'left', label: 'Left' },
  { to: 'center', label: 'Centre' },
  { to: 'right', label: 'Right' },
]

const nouns = { variable: 'variable', button: 'button', image: 'picture' } as const

/** What can be done with the text of a document, all of it by keyboard: the toolbar stands before the text. */
export function Toolbar({ visual, place }: { visual: Visual; place: Place }) {
  const [inserting, setInserting] = useState<Inserting>()
  const { node } = place
  return (
    <div className="visual-tools" role="toolbar" aria-label="Formatting">
      <Menu
        trigger={
          <Button>
            {blocks.find(({ kind }) => kind === place.block)?.label} <Icon name="chevron-down" />
          </Button>
        }
      >
        {blocks.map(({ kind, label }) => (
          <MenuItem key={kind} checked={kind === place.block} onSelect={() => visual.block(kind)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <AlignMenu visual={visual} place={place} />
      {looks.map(({ kind, label, sign }) => (
        <Button
          key={kind}
          kind="quiet"
          className={`visual-look ${kind}`}
          aria-label={label}
          title={label}
          aria-pressed={place.looks.includes(kind)}
          onClick={() => visual.look(kind)}
        >
          <span aria-hidden="true">{sign}</span>
        </Button>
      ))}
      <Button kind="quiet" aria-pressed={place.href !== ''} onClick={() => setInserting({ what: 'link', attrs: { href: place.href } })}>
        Link
      </Button>
      <Button kind="quiet" onClick={() => setInserting({ what: 'variable', attrs: {} })}>
        Variable
      </Button>
      <Menu
        trigger={
          <Button>
            Insert <Icon name="chevron-down" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setInserting({ what: 'button', attrs: {} })}>Button</MenuItem>
        <MenuItem onSelect={() => setInserting({ what: 'image', attrs: {} })}>Picture</MenuItem>
        <MenuItem onSelect={() => visual.insert({ type: 'horizontalRule' })}>Line</MenuItem>
      </Menu>
      <Button kind="quiet" disabled={!place.canUndo} onClick={() => visual.step('undo')}>
        Undo
      </Button>
      <Button kind="quiet" disabled={!place.canRedo} onClick={() => visual.step('redo')}>
        Redo
      </Button>
      {node && (
        <>
          <Button onClick={() => setInserting({ what: node.type, attrs: node.attrs, isChange: true })}>Edit the {nouns[node.type]}</Button>
          <Button icon="trash" onClick={() => visual.remove()}>
            Remove the {nouns[node.type]}
          </Button>
        </>
      )}
      {inserting && <InsertDialog visual={visual} inserting={inserting} onClose={() => setInserting(undefined)} />}
    </div>
  )
}

function AlignMenu({ visual, place }: { visual: Visual; place: Place }) {
  const label = aligns.find(({ to }) => to === place.align)?.label
  return (
    <Menu
      trigger={
        <Button aria-label={`Alignment: ${label}`}>
          {label} <Icon name="chevron-down" />
        </Button>
      }
    >
      {aligns.map(({ to, label: text }) => (
        <MenuItem key={to} checked={to === place.align} onSelect={() => visual.align(to)}>
          {text}
        </MenuItem>
      ))}
    </Menu>
  )
}
