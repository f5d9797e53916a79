import { useNavigate, useSearch } from '@tanstack/react-router'
import { useClient } from 'urql'
import { findContacts } from '../../data/find.ts'
import { useRead } from '../../data/read.ts'
import { PersonDocument } from '../../graphql/graphql.ts'
import { Lookup } from '../../parts/lookup.tsx'
import { Section } from '../../parts/page.tsx'
import { Why } from '../../parts/why.tsx'

/** Why a contact is in a segment or not, of any contact. */
export function Explain({ id }: { id: string }) {
  const { contact } = useSearch({ from: '/signed-in/$project/segments/$segment' })
  const navigate = useNavigate({ from: '/$project/segments/$segment' })
  const client = useClient()
  const [{ data }] = useRead({ query: PersonDocument, variables: { id: contact ?? '' }, pause: contact === undefined })
  const choose = (chosen: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, contact: chosen }), replace: true, resetScroll: false })
  return (
    <Section title="Why in or out">
      <p className="muted">Choose a contact to see what each part of the rule says about them.</p>
      <div className="filters">
        <Lookup
          label="Address of a contact"
          chosen={contact && (data?.contact?.email ?? contact)}
          find={(text) => findContacts(client, text)}
          onChoose={choose}
        />
      </div>
      {contact && <Why segmentId={id} contactId={contact} />}
    </Section>
  )
}
