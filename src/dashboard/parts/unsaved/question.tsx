import { Button } from '../button.tsx'
import { Popup } from '../popup.tsx'
import { type Scope, useQuestion } from './unsaved.ts'

/** Asks whether what was typed is discarded, in the dialog or on the page that is on top. */
export function Question({ scope }: { scope: Scope }) {
  const answer = useQuestion(scope)
  const stay = () => answer?.(false)
  return (
    <Popup title="Discard changes?" open={answer !== undefined} onClose={stay}>
      <p>What you have changed here is not saved, and would be lost.</p>
      <div className="actions end">
        <Button onClick={stay}>Keep editing</Button>
        <Button kind="danger" onClick={() => answer?.(true)}>
          Discard
        </Button>
      </div>
    </Popup>
  )
}
