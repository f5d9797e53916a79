import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useFeed } from '../../data/feed.ts'
import { number } from '../../data/format.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Details } from './details.tsx'
import { Filters } from './filters.tsx'
import { List } from './list.tsx'

/** What happens in the project, as it happens, and what has happened. */
export function Activity() {
  const { item, ...filter } = useSearch({ from: '/signed-in/$project/activity' })
  const navigate = useNavigate({ from: '/$project/activity' })
  const [isPaused, setIsPaused] = useState(false)
  const [isAway, setIsAway] = useState(false)
  const feed = useFeed(filter, { isPaused: isPaused || isAway })
  const isFiltered = Object.values(filter).some((one) => one !== undefined)
  const toTop = () => {
    setIsPaused(false)
    setIsAway(false)
    feed.release()
  }
  return (
    <Page
      title="Activity"
      actions={
        <Button icon={isPaused ? 'play' : 'pause'} aria-pressed={isPaused} onClick={isPaused ? toTop : () => setIsPaused(true)}>
          {isPaused ? 'Go on' : 'Pause'}
        </Button>
      }
    >
      <Filters filter={filter} onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })} />
      <p className="sr-only" role="status">
        {feed.held > 0 && `${number(feed.held)} new`}
      </p>
      {feed.held > 0 && (
        <Button className="held" icon="arrow-up" onClick={toTop}>
          {number(feed.held)} new
        </Button>
      )}
      {feed.items.length > 0 ? (
        <List feed={feed} onAway={setIsAway} isAtTop={!isAway && !isPaused} />
      ) : feed.loading ? (
        <Loading rows={8} />
      ) : (
        !feed.problem && (
          <Empty icon="activity" title={isFiltered ? 'Nothing of this kind has happened' : 'Nothing has happened yet'}>
            {isFiltered ? 'It appears here as soon as it does.' : 'Send an email or track an event: it appears here at once.'}
          </Empty>
        )
      )}
      {feed.problem && <ProblemNote problem={feed.problem} onRetry={feed.retry} />}
      <Details id={item} onClose={() => void navigate({ search: ({ item: _, ...rest }) => rest })} />
    </Page>
  )
}
