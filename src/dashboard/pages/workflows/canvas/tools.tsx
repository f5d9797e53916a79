import { useRef } from 'react'
import { Button } from '../../../parts/button.tsx'
import { toast } from '../../../parts/toast.tsx'
import type { Moving } from './moving.ts'
import { isTouched } from './view.ts'

interface Props {
  arrange: Moving['arrange']
  /** Takes back what was done last. */
  undo: (() => Promise<unknown>) | undefined
  /** The id of the text that says how steps are moved. */
  hint: string
  onArranged(): void
}

/** What can be done with the canvas as a whole. */
export function Tools({ arrange, undo, hint, onArranged }: Props) {
  const tools = useRef<HTMLDivElement>(null)
  const begin = async () => {
    const isSaved = arrange()
    onArranged()
    if (await isSaved) toast('Steps arranged', 'Undo puts them back, until something else is changed.')
  }
  const takeBack = async () => {
    // The button that has the focus is about to go.
    tools.current?.querySelector('button')?.focus()
    await undo?.()
  }
  return (
    <div className="canvas-tools" ref={tools}>
      <Button onClick={begin}>Arrange</Button>
      {undo && <Button onClick={takeBack}>Undo</Button>}
      <p className="muted" id={hint}>
        {isTouched()
          ? 'Touch a step beside its name, then drag it.'
          : 'Drag steps, or move them with the arrow keys, with Shift farther. The space bar selects several.'}
      </p>
    </div>
  )
}
