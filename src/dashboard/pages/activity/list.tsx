import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Feed } from '../../data/feed.ts'
import type { ActivityItemFragment } from '../../graphql/graphql.ts'
import { activityTypes, isMachine, subjectOf } from '../../parts/activity.tsx'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/facts.tsx'
import { Badge } from '../../parts/state.tsx'

interface Props {
  feed: Feed
  /** Called when the newest items are scrolled out of sight, or back into it. */
  onAway(isAway: boolean): void
  isAtTop: boolean
}

const rowHeight = 40
const awayAfter = rowHeight

/** The feed as a list of which only what is in sight is drawn; at its end it reads on. */
export function List({ feed: { items, hasMore, loading, more }, onAway, isAtTop }: Props) {
  const box = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: 12,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= items.length - 10) more()
  }, [last, items.length, more])
  useEffect(() => {
    if (isAtTop) box.current?.scrollTo({ top: 0 })
  }, [isAtTop])
  return (
    <section
      ref={box}
      className="feed"
      aria-label="What happened, newest first"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={(event) => onAway(event.currentTarget.scrollTop > awayAfter)}
    >
      <ol className="feed-rows" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const item = items[index]
          return (
            item && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={hasMore ? -1 : items.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row item={item} />
              </li>
            )
          )
        })}
      </ol>
      {hasMore && (
        <Button kind="quiet" busy={loading} onClick={more}>
          Show more
        </Button>
      )}
    </section>
  )
}

function Row({ item }: { item: ActivityItemFragment }) {
  const { label, tone } = activityTypes[item.type]
  return (
    <Link to="." search={(before: object) => ({ ...before, item: item.id })} className="feed-row">
      <Time at={item.timestamp} />
      <Badge tone={tone}>{label}</Badge>
      <span className="cut feed-who">{item.contactEmail}</span>
      <span className="cut muted">
        {subjectOf(item)}
        {isMachine(item) && ' (by a program)'}
      </span>
    </Link>
  )
}
