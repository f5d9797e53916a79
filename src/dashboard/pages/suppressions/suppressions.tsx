import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Problem, problemOf } from '../../data/failures.ts'
import { saveFile } from '../../data/files.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { SuppressionCountDocument, type SuppressionFilter, SuppressionsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { reasonOptions } from '../../parts/suppression.ts'
import { AddAddresses } from './add.tsx'
import { Details } from './details.tsx'
import { ImportAddresses } from './import.tsx'
import { List } from './list.tsx'
import type { SuppressionsSearch } from './search.ts'

/** The addresses that emails are withheld from: why, since when, and the ways onto the list and off it. */
export function Suppressions() {
  const search = useSearch({ from: '/signed-in/$project/suppressions' })
  const navigate = useNavigate({ from: '/$project/suppressions' })
  const change = (next: SuppressionsSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace, resetScroll: false })
  const narrow = (next: SuppressionsSearch) => change({ after: undefined, before: undefined, ...next }, true)
  const { page, total, problem, refresh } = useSuppressions(search)
  const isFiltered = search.q !== undefined || search.reasons !== undefined
  return (
    <Page
      title="Suppressions"
      lead="Addresses that emails are withheld from, because they bounced, complained, opted out, or were put here."
      actions={<Actions search={search} onOpen={(open) => change({ open })} />}
    >
      <div className="filters">
        <SearchField label="Search addresses" value={search.q} onSearch={(q) => narrow({ q })} />
        <Choices label="Reason" options={reasonOptions} chosen={search.reasons ?? []} onChange={(reasons) => narrow({ reasons })} />
      </div>
      {problem && <ProblemNote problem={problem} onRetry={refresh} />}
      {!page && !problem && <Loading rows={8} />}
      {page && page.nodes.length === 0 && <Nothing isFiltered={isFiltered} />}
      {page && page.nodes.length > 0 && (
        <div className="card list">
          <List suppressions={page.nodes} />
          <Pager info={page.pageInfo} total={total} labels={['Previous', 'Next']} />
        </div>
      )}
      <AddAddresses open={search.open === 'add'} onClose={() => change({ open: undefined })} onAdded={refresh} />
      <ImportAddresses open={search.open === 'import'} onClose={() => change({ open: undefined })} onAdded={refresh} />
      <Details address={search.address} onClose={() => change({ address: undefined })} onRemoved={refresh} />
    </Page>
  )
}

function filterOf({ q, reasons }: SuppressionsSearch): SuppressionFilter {
  return { ...(q !== undefined && { search: q }), ...(reasons && { reasons }) }
}

function useSuppressions(search: SuppressionsSearch) {
  const filter = filterOf(search)
  const [{ data, error }, ask] = useRead({ query: SuppressionsDocument, variables: { filter, ...pageOf(search) } })
  const [count, askCount] = useRead({ query: SuppressionCountDocument, variables: { filter } })
  const refresh = () => {
    ask({ requestPolicy: 'network-only' })
    askCount({ requestPolicy: 'network-only' })
  }
  useLiveRefresh(concerns, refresh)
  return { page: data?.suppressions, total: count.data?.suppressions.totalCount, problem: error && problemOf(error), refresh }
}

const concerns = ({ type }: LiveItem) => /^(EMAIL_BOUNCED|EMAIL_COMPLAINT|CONTACT_)/.test(type)

function Actions({ search, onOpen }: { search: SuppressionsSearch; onOpen(open: 'add' | 'import'): void }) {
  const { id: project } = useProject()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const { q, reasons = [] } = search
    const asked = new URLSearchParams([...(q === undefined ? [] : [['search', q]]), ...reasons.map((reason) => ['reason', reason])])
    setProblem(await saveFile(`/suppressions?${asked}`, { project, name: 'suppressions.csv', accept: 'text/csv' }))
    setBusy(false)
  }
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button busy={busy} onClick={save}>
        Export CSV
      </Button>
      <Button onClick={() => onOpen('import')}>Import</Button>
      <Button kind="primary" icon="plus" onClick={() => onOpen('add')}>
        Add addresses
      </Button>
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty icon="search" title="No address is like that">
        Search for another part of the address, or take a filter away.
      </Empty>
    )
  return (
    <Empty icon="check" title="No address is suppressed">
      Addresses that bounce for good, complain or opt out are put here by themselves. Coming from another provider, import its list.
    </Empty>
  )
}
