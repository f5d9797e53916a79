import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { number } from '../../data/format.ts'
import { BulkDeleteDocument, BulkSubscribeDocument, BulkUnsubscribeDocument, type ContactFilter } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { inputOf, type Selection, sizeOf } from './selection.ts'

interface Props {
  selection: Selection
  filter: ContactFilter
  /** How many contacts match the filter, once that is known. */
  total: number | undefined
  /** How many are on the page. */
  shown: number
  onAll(): void
  onClear(): void
  onJob(id: string): void
}

/** What can be done with the contacts that are selected; also all that match, with their number. */
export function BulkBar({ selection, filter, total, shown, onAll, onClear, onJob }: Props) {
  const [asked, setAsked] = useState<keyof typeof texts>()
  const operations = useOperations()
  const size = sizeOf(selection, total)
  if (size === 0) return null
  const count = size === undefined ? 'all' : number(size)
  const who = size === 1 ? '1 contact' : `${count} contacts`
  const chosen = asked && operations[asked]
  const confirm = async () => {
    if (chosen?.busy) return
    const id = await chosen?.run(inputOf(selection, filter))
    if (id === undefined) return
    setAsked(undefined)
    onJob(id)
  }
  const ask = (operation: keyof typeof texts) => {
    operations[operation].reset()
    setAsked(operation)
  }
  return (
    <section className="bulk" aria-label="Selected contacts">
      <p role="status">
        <strong>{who}</strong> selected
      </p>
      {selection.kind === 'some' && total !== undefined && total > shown && (
        <Button kind="quiet" onClick={onAll}>
          Select all {number(total)} that match
        </Button>
      )}
      <span className="grow" />
      <Button onClick={() => ask('subscribe')}>Subscribe</Button>
      <Button onClick={() => ask('unsubscribe')}>Unsubscribe</Button>
      <Button kind="danger" onClick={() => ask('delete')}>
        Delete
      </Button>
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onClose={() => setAsked(undefined)}
          title={`${texts[asked].verb} ${who}?`}
          verb={texts[asked].verb}
          {...(asked === 'delete' && { typed: size === undefined ? 'all' : String(size) })}
          problem={chosen?.problem}
          onConfirm={confirm}
        >
          {texts[asked].what}
        </ConfirmDialog>
      )}
    </section>
  )
}

const texts = {
  subscribe: {
    verb: 'Subscribe',
    what: 'They are sent marketing email again. Only do this if they have agreed to it.',
  },
  unsubscribe: { verb: 'Unsubscribe', what: 'They are sent no more marketing email. Transactional email still reaches them.' },
  delete: { verb: 'Delete', what: 'Their data, emails and events are deleted with them. It cannot be undone.' },
}

type Input = ReturnType<typeof inputOf>

function useOperations() {
  const subscribe = useAction(BulkSubscribeDocument)
  const unsubscribe = useAction(BulkUnsubscribeDocument)
  const remove = useAction(BulkDeleteDocument)
  return {
    subscribe: { ...subscribe, run: async (input: Input) => (await subscribe.run({ input }))?.bulkSubscribeContacts.jobId },
    unsubscribe: { ...unsubscribe, run: async (input: Input) => (await unsubscribe.run({ input }))?.bulkUnsubscribeContacts.jobId },
    delete: { ...remove, run: async (input: Input) => (await remove.run({ input }))?.bulkDeleteContacts.jobId },
  }
}
