import type { CsvColumn } from '../../../data/csv.ts'
import { problemOf } from '../../../data/failures.ts'
import { number } from '../../../data/format.ts'
import type { LiveItem } from '../../../data/live.ts'
import { useLiveRefresh } from '../../../data/project.tsx'
import { useRead } from '../../../data/read.ts'
import { CampaignLinksDocument, type CampaignLinksQuery, type EditedCampaignFragment } from '../../../graphql/graphql.ts'
import { Section } from '../../../parts/page.tsx'
import { SaveCsv } from '../../../parts/save-csv.tsx'
import { Empty, Loading, ProblemNote } from '../../../parts/state.tsx'
import { Table } from '../../../parts/table.tsx'

type Row = NonNullable<CampaignLinksQuery['campaign']>['links'][number]

const others = 'All other links together'

const columns: CsvColumn<Row>[] = [
  { name: 'Link', value: ({ url }) => url ?? others },
  { name: 'People', value: ({ uniqueClicks }) => uniqueClicks },
  { name: 'Clicks by people', value: byPeople },
  { name: 'Clicks by programs', value: ({ machineClicks }) => machineClicks },
]

/** The links of a campaign that were followed, those that most people have followed first. */
export function Links({ campaign: { id } }: { campaign: EditedCampaignFragment }) {
  const [{ data, error }, ask] = useRead({ query: CampaignLinksDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ type, campaign }: LiveItem) => type === 'EMAIL_CLICKED' && campaign?.id === id, again, refreshMs)
  const links = data?.campaign?.links
  const isSome = links !== undefined && links.length > 0
  return (
    <Section title="Links" actions={isSome && <SaveCsv label="Links" file={`links-${id}`} columns={columns} rows={links} />}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!links && !error && <Loading rows={4} />}
      {links?.length === 0 && (
        <Empty icon="external" title="No link has been followed yet">
          Links appear here as they are followed, if the emails are tracked.
        </Empty>
      )}
      {isSome && (
        <>
          <p className="muted">Programs, such as link scanners, follow links before people do: they do not count as people.</p>
          <List links={links} />
        </>
      )}
    </Section>
  )
}

const refreshMs = 3_000

function byPeople({ clicks, machineClicks }: Row): number {
  return clicks - machineClicks
}

function List({ links }: { links: readonly Row[] }) {
  return (
    <Table
      label="Links"
      rows={links}
      keyOf={({ url }) => url ?? others}
      columns={[
        { name: 'Link', cell: ({ url }) => <Target url={url} /> },
        { name: 'People', numeric: true, cell: ({ uniqueClicks }) => number(uniqueClicks) },
        { name: 'Clicks by people', numeric: true, wide: true, cell: (link) => number(byPeople(link)) },
        { name: 'By programs', numeric: true, cell: ({ machineClicks }) => number(machineClicks) },
      ]}
    />
  )
}

// Templates can have links of any kind, and only those to the web lead anywhere from here.
function Target({ url }: { url: string | null }) {
  if (url === null) return <span className="muted">{others}</span>
  if (!/^https?:\/\//i.test(url)) return <span>{url}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  )
}
