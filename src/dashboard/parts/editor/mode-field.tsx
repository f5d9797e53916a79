import { SelectField } from '../field.tsx'
import { type DocumentNode, firstDocument } from '../visual/document.ts'
import { firstBody } from './content.ts'

const modes = [
  { value: 'VISUAL', label: 'Visual: text, pictures, buttons' },
  { value: 'HTML', label: 'HTML' },
]

/** What something new is written in; in its form it is called `mode`. `what` is what is new, such as template. */
export function ModeField({ what }: { what: string }) {
  return (
    <SelectField
      label="Written as"
      name="mode"
      options={modes}
      hint={`A visual ${what} can be turned into HTML later, not the other way.`}
    />
  )
}

/** What something new says at first, as the API takes it. */
export function firstContent(mode: string | undefined): { document: DocumentNode } | { body: string } {
  return mode === 'VISUAL' ? { document: firstDocument } : { body: firstBody }
}
