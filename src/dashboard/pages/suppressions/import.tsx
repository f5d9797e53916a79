import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { contentOf } from '../../data/files.ts'
import { bytes, number } from '../../data/format.ts'
import { useSession } from '../../data/session.tsx'
import { ImportSuppressionsDocument, type ImportSuppressionsMutation, type SuppressionReason } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FileField } from '../../parts/file.tsx'
import { Form } from '../../parts/form.tsx'
import { RowErrors } from '../../parts/row-errors.tsx'
import { ReasonField } from './add.tsx'

interface Props {
  open: boolean
  onClose(): void
  onAdded(): void
}

/** Puts the addresses of a CSV file on the list. */
export function ImportAddresses({ open, onClose, onAdded }: Props) {
  return (
    <Dialog title="Import addresses" open={open} onClose={onClose}>
      <ImportForm onClose={onClose} onAdded={onAdded} />
    </Dialog>
  )
}

function ImportForm({ onClose, onAdded }: Omit<Props, 'open'>) {
  const { config } = useSession()
  const [file, setFile] = useState<File>()
  const [result, setResult] = useState<ImportSuppressionsMutation['importSuppressions']>()
  const { run, busy, problem, reset } = useAction(ImportSuppressionsDocument)
  const isTooLarge = file !== undefined && file.size > config.maxImportBytes
  const start = async ({ reason }: Record<string, string>) => {
    if (!file || isTooLarge) return
    const data = await run({ input: { content: await contentOf(file), reason: reason as SuppressionReason } })
    if (!data) return
    setResult(data.importSuppressions)
    onAdded()
  }
  if (result)
    return (
      <>
        <div role="status">
          <Facts
            rows={[
              ['Added', number(result.added)],
              ['On the list before', number(result.alreadyThere)],
              ['Rows with an error', number(result.errors.length + result.errorsOmitted)],
            ]}
          />
        </div>
        <RowErrors errors={result.errors} omitted={result.errorsOmitted} />
        <div className="actions end">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </>
    )
  return (
    <Form onSubmit={start} problem={problem}>
      <FileField
        label="CSV file"
        hint={`At most ${bytes(config.maxImportBytes)}, with the names of the columns in the first row: “email” and, if you like, “reason”. Other columns are ignored.`}
        accept=".csv,.tsv,.txt,text/csv"
        file={file}
        problem={isTooLarge ? `The file is larger than ${bytes(config.maxImportBytes)}.` : undefined}
        onChoose={(next) => {
          reset()
          setFile(next)
        }}
      />
      <ReasonField label="Reason of rows that have none" />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy} disabled={!file || isTooLarge}>
          Import
        </Button>
      </div>
    </Form>
  )
}
