import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { useIsAdmin } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { KeysDocument, RegenerateKeysDocument, RotateWebhookSecretDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Facts, Secret } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

/** The keys of the API and the secret of webhooks, asked for only when somebody wants to see them. */
export function Keys() {
  const [isAsked, setIsAsked] = useState(false)
  const isAdmin = useIsAdmin()
  return (
    <Section title="API keys and webhook secret">
      <p className="muted">
        With the public key (<code>pk_</code>) events can be tracked, also from a browser. The secret key (<code>sk_</code>) may do
        everything: keep it on your servers.
      </p>
      {isAsked ? (
        <RevealedKeys />
      ) : (
        <div className="actions">
          <Button icon="eye" onClick={() => setIsAsked(true)}>
            Show the keys
          </Button>
        </div>
      )}
      {isAdmin && (
        <div className="actions">
          <Regenerate />
          <Rotate />
        </div>
      )}
    </Section>
  )
}

function RevealedKeys() {
  const [{ data, error }, ask] = useRead({ query: KeysDocument, requestPolicy: 'network-only' })
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={() => ask()} />
  if (!data) return <Loading />
  const { keys, webhookSecret } = data.project
  return (
    <Facts
      rows={[
        ['Public key', <Secret key="public" text={keys.publicKey} what="Public key" />],
        ['Secret key', keys.secretKey ? <Secret key="secret" text={keys.secretKey} what="Secret key" /> : 'Only admins and owners see it'],
        [
          'Webhook secret',
          webhookSecret ? <Secret key="hook" text={webhookSecret} what="Webhook secret" /> : 'Only admins and owners see it',
        ],
      ]}
    />
  )
}

function Regenerate() {
  const [open, setOpen] = useState(false)
  const { run, problem } = useAction(RegenerateKeysDocument, 'Project')
  const regenerate = async () => {
    if (!(await run({}))) return
    setOpen(false)
    toast('Both keys are new', 'The old ones have stopped working.')
  }
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Replace both keys
      </Button>
      <ConfirmDialog
        title="Replace both keys?"
        verb="Replace them"
        typed="replace"
        open={open}
        onClose={() => setOpen(false)}
        problem={problem}
        onConfirm={regenerate}
      >
        The old keys stop working at once, everywhere: what uses them fails until it has the new ones.
      </ConfirmDialog>
    </>
  )
}

function Rotate() {
  const [open, setOpen] = useState(false)
  const { run, problem } = useAction(RotateWebhookSecretDocument, 'Project')
  const rotate = async () => {
    if (!(await run({}))) return
    setOpen(false)
    toast('The webhook secret is new', 'For 24 hours webhooks are signed with the old one as well.')
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Replace the webhook secret</Button>
      <ConfirmDialog
        title="Replace the webhook secret?"
        verb="Replace it"
        open={open}
        onClose={() => setOpen(false)}
        problem={problem}
        onConfirm={rotate}
      >
        For 24 hours webhooks carry a signature with the old secret as well, so that receivers have time to change.
      </ConfirmDialog>
    </>
  )
}
