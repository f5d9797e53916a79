import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { OneSegmentDocument, RefreshSegmentDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Badge, Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Explain } from './explain.tsx'
import type { FoundSegment } from './found.ts'
import { Members } from './members.tsx'
import { EditRule } from './rule-tab.tsx'
import { tabs } from './search.ts'
import { Settings } from './settings.tsx'

const at = '/signed-in/$project/segments/$segment'

/** A segment: who is in it and why, its rule, and what uses it. */
export function Segment() {
  const { segment: id } = useParams({ from: at })
  const { id: project } = useProject()
  const [{ data, error }, ask] = useRead({ query: OneSegmentDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  const segment = data?.segment
  useLiveRefresh(({ type }) => type === 'EVENT_TRIGGERED' && segment?.trackMembership === true, again)
  return (
    <Page
      title={segment?.name ?? 'Segment'}
      lead={segment?.description}
      above={
        <Link to="/$project/segments" params={{ project }} className="back">
          <Icon name="chevron-left" />
          Segments
        </Link>
      }
      actions={segment && <Size segment={segment} />}
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={6} />}
      {data && !segment && <Empty icon="users" title="This segment does not exist, or was deleted" />}
      {segment && <Parts segment={segment} onChange={again} />}
    </Page>
  )
}

function Size({ segment: { id, type, memberCount, trackMembership } }: { segment: FoundSegment }) {
  const { run, busy } = useAction(RefreshSegmentDocument)
  return (
    <>
      {trackMembership && <Badge tone="info">Tracked</Badge>}
      <span role="status">{memberCount === 1 ? '1 member' : `${number(memberCount)} members`}</span>
      {type === 'DYNAMIC' && (
        <Button icon="refresh" busy={busy} onClick={() => run({ input: { id } })}>
          Count again
        </Button>
      )}
    </>
  )
}

function Parts({ segment, onChange }: { segment: FoundSegment; onChange(): void }) {
  const { tab: asked } = useSearch({ from: at })
  const shown = tabs.filter(({ name }) => name !== 'rule' || segment.type === 'DYNAMIC')
  // An address may name the rule of a segment that has none.
  const tab = shown.find(({ name }) => name === asked)?.name ?? 'members'
  return (
    <>
      {segment.issues.length > 0 && (
        <Note kind="warn">
          <ul>
            {segment.issues.map(({ path, message }) => (
              <li key={path + message}>{message}</li>
            ))}
          </ul>
        </Note>
      )}
      <Tabs label="Parts of the segment" tabs={shown} shown={tab} />
      {tab === 'members' && <Members segment={segment} onChange={onChange} />}
      {tab === 'rule' && <EditRule key={segment.id} segment={segment} onSaved={onChange} />}
      {tab === 'why' && <Explain id={segment.id} />}
      {tab === 'settings' && <Settings key={segment.id} segment={segment} onSaved={onChange} />}
    </>
  )
}
