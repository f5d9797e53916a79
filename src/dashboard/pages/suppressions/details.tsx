import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { moment } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { DeleteSuppressionDocument, OneSuppressionDocument, type OneSuppressionQuery } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { reasons, sources } from '../../parts/suppression.ts'
import { toast } from '../../parts/toast.tsx'

interface Props {
  /** The address, as the address of the page has it. */
  address: string | undefined
  onClose(): void
  onRemoved(): void
}

/** The drawer with everything about one address: why emails are withheld, what its server said, and the way off the list. */
export function Details({ address, onClose, onRemoved }: Props) {
  const [{ data, error, fetching }, ask] = useRead({
    query: OneSuppressionDocument,
    variables: { address: address ?? '' },
    pause: address === undefined,
  })
  const found = data?.suppression?.email === address ? data?.suppression : undefined
  return (
    <Dialog kind="drawer" title={address ?? 'Address'} open={address !== undefined} onClose={onClose}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {fetching && !found && <Loading />}
      {!fetching && !error && !found && <Empty icon="check" title="This address is not on the list" />}
      {found && (
        <>
          <Why suppression={found} />
          <Remove
            suppression={found}
            onRemoved={() => {
              onRemoved()
              onClose()
            }}
          />
        </>
      )}
    </Dialog>
  )
}

type Found = NonNullable<OneSuppressionQuery['suppression']>

function Why({ suppression: { reason, reasonText, source, since, contact, causedBy, emailId } }: { suppression: Found }) {
  const { id: project } = useProject()
  const { label, tone, effect } = reasons[reason]
  return (
    <Facts
      rows={[
        [
          'Reason',
          <Badge key="reason" tone={tone}>
            {label}
          </Badge>,
        ],
        ['Effect', effect],
        ['Since', moment(since)],
        ['Put there by', sources[source]],
        ['What the server said', reasonText],
        [
          'Email that caused it',
          causedBy ? (
            <Link key="email" to="/$project/emails/$email" params={{ project, email: causedBy.id }}>
              {causedBy.subject || '(no subject)'}
            </Link>
          ) : (
            emailId && 'It was deleted.'
          ),
        ],
        [
          'Contact',
          contact && (
            <Link key="contact" to="/$project/contacts/$contact" params={{ project, contact: contact.id }}>
              Show the contact
            </Link>
          ),
        ],
      ]}
    />
  )
}

const warnings: Record<Found['reason'], string> = {
  BOUNCE: 'Emails are sent to it again. If it still does not exist, it bounces again, which harms your reputation.',
  COMPLAINT: 'Its owner reported your email as spam. Emails are sent to it again, which may harm your reputation badly.',
  MANUAL: 'Emails are sent to it again.',
  UNSUBSCRIBED:
    'Its owner opted out. Marketing email is sent to it again only if its contact is subscribed as well. Do this only with their agreement.',
}

function Remove({ suppression: { email, reason }, onRemoved }: { suppression: Found; onRemoved(): void }) {
  const [isAsked, setIsAsked] = useState(false)
  const { run, problem, reset } = useAction(DeleteSuppressionDocument)
  const remove = async () => {
    if (!(await run({ input: { email } }))) return
    setIsAsked(false)
    toast(`${email} has been taken off the list`)
    onRemoved()
  }
  return (
    <div className="actions">
      <Button
        kind="danger"
        onClick={() => {
          reset()
          setIsAsked(true)
        }}
      >
        Take it off the list
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title="Take the address off the list?"
        verb="Take it off"
        {...(reason !== 'MANUAL' && { typed: email })}
        problem={problem}
        onConfirm={remove}
      >
        {warnings[reason]}
      </ConfirmDialog>
    </div>
  )
}
