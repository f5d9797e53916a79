import { useEffect, useEffectEvent } from 'react'
import { changedFields, type LiveItem } from '../../data/live.ts'
import { useLiveRefresh } from '../../data/project.tsx'
import type { DnsRecordPurpose, DomainStateFragment } from '../../graphql/graphql.ts'
import { Badge, type Tone } from '../../parts/state.tsx'

/** A record to set in the DNS of a domain, and what was found of it. */
export type DomainRecord = DomainStateFragment['records'][number]

/** What records are for, in the words of people who set them. */
export const purposes: Record<DnsRecordPurpose, { label: string; what: string }> = {
  DKIM: { label: 'DKIM', what: 'The public key of the signature of every email. It proves that the domain is yours.' },
  DMARC: { label: 'DMARC', what: 'What receivers do with email that is not signed. Gmail and Yahoo require it of those who send much.' },
  INBOUND: { label: 'Incoming email', what: 'Brings email to the domain here. Only if nobody else receives it.' },
  RETURN_PATH: { label: 'Return path', what: 'Bounces come back to your own domain, so that SPF is aligned with it.' },
  SPF: { label: 'SPF', what: 'Says who may send email for the domain. A domain has one SPF record: add to the one that you have.' },
  TRACKING: { label: 'Tracking', what: 'Links of tracked email stand under your own name.' },
}

/** Whether the domain needs no DNS, as names for development do. */
export function needsNoDns({ status, checkedAt, records }: DomainStateFragment): boolean {
  return status === 'VERIFIED' && (checkedAt === null || records.every((record) => record.status === 'VERIFIED' && isUnasked(record)))
}

const isUnasked = ({ current, problem }: DomainRecord) => current.length === 0 && problem === null

/** How many of the records of a domain were found. */
export function foundOf({ records }: DomainStateFragment): number {
  return records.filter(({ status }) => status === 'VERIFIED').length
}

/** Whether a domain changes in ways that the activity does not say: a record is missing, or its warm-up goes on. */
export function isMoving(domain: DomainStateFragment): boolean {
  return foundOf(domain) < domain.records.length || typeof domain.warmUp?.limitToday === 'number'
}

/** Whether email may be sent from a domain. */
export function DomainBadge({ domain: { status } }: { domain: Pick<DomainStateFragment, 'status'> }) {
  const [tone, label]: [Tone, string] = status === 'VERIFIED' ? ['good', 'Verified'] : ['warn', 'Pending']
  return <Badge tone={tone}>{label}</Badge>
}

/** Reads domains again when the activity says that one has changed, and quietly while one is moving. */
export function useDomainRefresh(isMoving: boolean, refresh: () => void): void {
  useLiveRefresh(concerns, refresh)
  const again = useEffectEvent(() => document.visibilityState === 'visible' && refresh())
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(again, quietMs)
    return () => clearInterval(timer)
  }, [isMoving])
}

const quietMs = 20_000

function concerns(item: LiveItem): boolean {
  return changedFields(item).some((field) => field.startsWith('domains'))
}
