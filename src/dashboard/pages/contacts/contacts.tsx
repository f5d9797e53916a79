import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Problem, problemOf } from '../../data/failures.ts'
import { saveFile } from '../../data/files.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { ContactCountDocument, ContactsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { AddContact } from './add.tsx'
import { BulkBar } from './bulk.tsx'
import { Columns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { JobNote } from './job.tsx'
import { List } from './list.tsx'
import { type ContactsSearch, filterOf, orderOf } from './search.ts'
import { useSelection } from './selection.ts'
import { Underway } from './underway.tsx'

const from = '/signed-in/$project/contacts'

/** The people of the project: found, sorted, chosen and changed many at a time. */
export function Contacts() {
  const search = useSearch({ from })
  const navigate = useNavigate({ from: '/$project/contacts' })
  const list = useContacts(search)
  const selection = useSelection(list.filter)
  const change = (next: ContactsSearch, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace, resetScroll: false })
  const close = () => change({ open: undefined })
  const { nodes, pageInfo } = list.page ?? { nodes: [] }
  const isFiltered = Object.keys(list.filter).length > 0
  return (
    <Page title="Contacts" actions={<Actions search={search} onAdd={() => change({ open: 'add' }, false)} />}>
      {search.job ? (
        <JobNote id={search.job} onEnd={list.refresh} onClose={() => change({ job: undefined })} />
      ) : (
        <Underway onWatch={(job) => change({ job })} />
      )}
      <Filters search={search} onChange={(next) => change({ after: undefined, before: undefined, ...next })} />
      {list.problem && <ProblemNote problem={list.problem} onRetry={list.refresh} />}
      {list.problem && isFiltered && (
        <div className="actions">
          <ShowAll />
        </div>
      )}
      {!list.page && !list.problem && <Loading rows={8} />}
      {list.page && nodes.length === 0 && <Nobody isFiltered={isFiltered} onAdd={() => change({ open: 'add' }, false)} />}
      {nodes.length > 0 && (
        <>
          <BulkBar
            selection={selection.selection}
            filter={list.filter}
            total={list.total}
            shown={nodes.length}
            onAll={selection.all}
            onClear={selection.clear}
            onJob={(job) => {
              selection.clear()
              change({ job })
            }}
          />
          <div className="card list">
            <List contacts={nodes} columns={search.columns ?? []} order={search.order} selection={selection} />
            {pageInfo && <Pager info={pageInfo} total={list.total} labels={['Previous', 'Next']} />}
          </div>
        </>
      )}
      <AddContact open={search.open === 'add'} onClose={close} onAdded={list.refresh} />
      <Columns open={search.open === 'columns'} chosen={search.columns ?? []} onClose={close} onChange={(columns) => change({ columns })} />
    </Page>
  )
}

function useContacts(search: ContactsSearch) {
  const filter = filterOf(search)
  const variables = { filter, orderBy: orderOf(search), withData: search.columns !== undefined, ...pageOf(search) }
  const [{ data, error }, ask] = useRead({ query: ContactsDocument, variables })
  // By itself: to count the members of a segment may take long, and the list need not wait for it.
  const [count, askCount] = useRead({ query: ContactCountDocument, variables: { filter } })
  const refresh = () => {
    ask({ requestPolicy: 'network-only' })
    askCount({ requestPolicy: 'network-only' })
  }
  // Comparing every contact with a condition is too much for each event.
  useLiveRefresh((item) => filter.segmentId === undefined && concerns(item), refresh)
  return {
    filter,
    page: data?.contacts,
    total: count.data?.contacts.totalCount ?? undefined,
    problem: error && problemOf(error),
    refresh,
  }
}

const concerns = ({ type }: LiveItem) => type === 'EVENT_TRIGGERED' || /^CONTACT_/.test(type)

function Actions({ search, onAdd }: { search: ContactsSearch; onAdd(): void }) {
  const { id: project } = useProject()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const { search: part, segmentId, subscribed } = filterOf(search)
    const asked = Object.entries({ search: part, segmentId, subscribed }).flatMap(([name, value]) =>
      value == null ? [] : [[name, String(value)]],
    )
    const path = `/contacts/export?${new URLSearchParams(asked)}`
    setProblem(await saveFile(path, { project, name: 'contacts.csv', accept: 'text/csv' }))
    setBusy(false)
  }
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button busy={busy} onClick={save}>
        Export CSV
      </Button>
      <Link to="/$project/contacts/import" params={{ project }} className="button">
        Import
      </Link>
      <Button kind="primary" icon="plus" onClick={onAdd}>
        Add a contact
      </Button>
    </>
  )
}

function ShowAll() {
  const { id: project } = useProject()
  return (
    <Link to="/$project/contacts" params={{ project }} className="button">
      Show all contacts
    </Link>
  )
}

function Nobody({ isFiltered, onAdd }: { isFiltered: boolean; onAdd(): void }) {
  const { id: project } = useProject()
  if (isFiltered)
    return (
      <Empty icon="search" title="No contact matches">
        <p>Search for another part of the address, or remove a filter.</p>
        <ShowAll />
      </Empty>
    )
  return (
    <Empty icon="users" title="No contacts yet">
      <p>Import a CSV file, add somebody by hand, or track an event: it creates the contact it happens to.</p>
      <div className="actions center">
        <Link to="/$project/contacts/import" params={{ project }} className="button primary">
          Import a CSV file
        </Link>
        <Button onClick={onAdd}>Add a contact</Button>
      </div>
    </Empty>
  )
}
