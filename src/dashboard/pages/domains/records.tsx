import { copyText } from '../../data/clipboard.ts'
import type { DomainStateFragment } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable, Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { type DomainRecord, needsNoDns, purposes } from './data.tsx'
import { zoneOf } from './zone.ts'

/** What to set in the DNS of a domain, ready to be copied, each with what was found. */
export function Records({ domain }: { domain: DomainStateFragment }) {
  const { checkedAt, records } = domain
  const copy = async () => {
    if (await copyText(zoneOf(records))) toast('All records copied', 'As lines of a zone file.')
    else toast('They could not be copied')
  }
  if (needsNoDns(domain))
    return (
      <Section title="DNS records">
        <p className="muted">This name is only for development: it needs no records, and its email reaches nobody outside.</p>
      </Section>
    )
  const isChecked = checkedAt !== null
  return (
    <Section
      title="DNS records"
      actions={
        <Button icon="copy" onClick={copy}>
          Copy all as a zone file
        </Button>
      }
    >
      <ul className="rows">
        {records.map((record) => (
          <Record key={record.purpose} record={record} isChecked={isChecked} />
        ))}
      </ul>
    </Section>
  )
}

function Record({ record, isChecked }: { record: DomainRecord; isChecked: boolean }) {
  const { purpose, required, type, name, value, current, problem } = record
  const { label, what } = purposes[purpose]
  return (
    <li className="dns-record">
      <div className="actions">
        <h3>{label}</h3>
        <FoundBadge record={record} isChecked={isChecked} />
        <Badge tone={required ? 'info' : 'neutral'}>{required ? 'Required' : 'Recommended'}</Badge>
      </div>
      <p className="muted">{what}</p>
      <Facts
        rows={[
          ['Type', type],
          ['Name', <Copyable key="name" text={name} what={`Name of ${label}`} />],
          ['Value', <Copyable key="value" text={value} what={`Value of ${label}`} />],
          ['Found', isChecked && current.some((one) => one !== value) ? <Found key="found" values={current} /> : null],
          [
            'What is wrong',
            isChecked && problem ? (
              <span key="wrong" className={required ? 'wrong required' : 'wrong'}>
                {problem}
              </span>
            ) : null,
          ],
        ]}
      />
    </li>
  )
}

function FoundBadge({ record: { status, required }, isChecked }: { record: DomainRecord; isChecked: boolean }) {
  if (!isChecked) return <Badge>Not checked yet</Badge>
  if (status === 'VERIFIED') return <Badge tone="good">Found</Badge>
  return <Badge tone={required ? 'bad' : 'warn'}>Missing</Badge>
}

function Found({ values }: { values: readonly string[] }) {
  return (
    <ul>
      {values.map((value) => (
        <li key={value}>
          <code>{value}</code>
        </li>
      ))}
    </ul>
  )
}
