import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from 'urql'
import { useAction } from '../../data/action.ts'
import { type Problem, problemOf } from '../../data/failures.ts'
import { contentOf } from '../../data/files.ts'
import { bytes, number } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import { useSession } from '../../data/session.tsx'
import { CheckImportDocument, type CheckImportQuery, ImportContactsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { FileField } from '../../parts/file.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Loading, ProblemNote } from '../../parts/state.tsx'
import { JobNote } from './job.tsx'
import { Preview } from './preview.tsx'

const from = '/signed-in/$project/contacts/import'

interface Checked {
  file: File
  content: string
  preview: CheckImportQuery['checkImport']
}

/** Contacts from a CSV file: what it would do first, then the import as it goes on. */
export function Import() {
  const { job } = useSearch({ from })
  const { id: project } = useProject()
  const navigate = useNavigate({ from: '/$project/contacts/import' })
  const watch = (next: string | undefined) => void navigate({ search: { job: next } })
  return (
    <Page
      narrow
      title="Import contacts"
      above={
        <Link to="/$project/contacts" params={{ project }} className="back">
          <Icon name="chevron-left" />
          Contacts
        </Link>
      }
      lead="Existing contacts are updated by their address. Nobody who has opted out is subscribed again."
    >
      {job ? (
        <>
          <JobNote id={job} />
          <div className="actions">
            <Link to="/$project/contacts" params={{ project }} className="button">
              To the contacts
            </Link>
            <Button onClick={() => watch(undefined)}>Import another file</Button>
          </div>
        </>
      ) : (
        <Steps onJob={watch} />
      )}
    </Page>
  )
}

function Steps({ onJob }: { onJob(id: string): void }) {
  const { config } = useSession()
  const client = useClient()
  const [file, setFile] = useState<File>()
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<Problem>()
  const start = useAction(ImportContactsDocument)
  const isTooLarge = file !== undefined && file.size > config.maxImportBytes
  const check = async (next: File) => {
    setFile(next)
    setChecked(undefined)
    setProblem(undefined)
    start.reset()
    if (next.size > config.maxImportBytes) return
    const content = await contentOf(next)
    const { data, error } = await client.query(CheckImportDocument, { content }, { requestPolicy: 'network-only' })
    if (data) setChecked({ file: next, content, preview: data.checkImport })
    else if (error) setProblem(problemOf(error))
  }
  const begin = async () => {
    const data = checked && (await start.run({ input: { content: checked.content } }))
    if (data) onJob(data.importContacts.jobId)
  }
  return (
    <>
      <Section title="1. The file">
        <FileField
          label="CSV file"
          hint={`At most ${bytes(config.maxImportBytes)}, with the names of the columns in the first row. “email” is required, “subscribed” is true or false; every other column becomes a custom field.`}
          accept=".csv,.tsv,.txt,text/csv"
          file={file}
          problem={isTooLarge ? `The file is larger than ${bytes(config.maxImportBytes)}. Split it, then import the parts.` : undefined}
          onChoose={(next) => void check(next)}
        />
      </Section>
      {problem && <ProblemNote problem={problem} onRetry={file && (() => void check(file))} />}
      {file && !isTooLarge && !checked && !problem && <Loading label="Checking the file" />}
      {checked && (
        <Section title="2. What it would do">
          <Preview preview={checked.preview} />
          {start.problem && <ProblemNote problem={start.problem} />}
          <div className="actions end">
            <Button kind="primary" busy={start.busy} disabled={checked.preview.new + checked.preview.existing === 0} onClick={begin}>
              Import {count(checked.preview.new + checked.preview.existing)}
            </Button>
          </div>
        </Section>
      )}
    </>
  )
}

const count = (rows: number): string => (rows === 1 ? '1 row' : `${number(rows)} rows`)
