import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useClient } from 'urql'
import { type Problem, problemOf } from '../../data/failures.ts'
import { findContacts } from '../../data/find.ts'
import { bytes } from '../../data/format.ts'
import { useRead } from '../../data/read.ts'
import { PreviewContactDocument, PreviewEmailDocument, type PreviewEmailInput, type PreviewEmailQuery } from '../../graphql/graphql.ts'
import { EmailFrame } from '../email-frame.tsx'
import { Facts } from '../facts.tsx'
import { Lookup } from '../lookup.tsx'
import { Section } from '../page.tsx'
import { Segmented } from '../segmented.tsx'
import { Badge, Loading, Note } from '../state.tsx'
import { type Content, writtenInput } from './content.ts'
import type { PreviewLook } from './preview-look.ts'

/** What the preview is of. */
export type Shown = PreviewEmailQuery['previewEmail']

/** An email as its recipient gets it, and what is wrong with what is written at the moment. */
export interface Preview {
  shown: Shown | undefined
  problem: Problem | undefined
  busy: boolean
}

const patienceMs = 400

/** What the server makes of a content, a moment after it was last changed. */
export function usePreview(input: PreviewEmailInput): Preview {
  const client = useClient()
  const [state, setState] = useState<Preview>({ shown: undefined, problem: undefined, busy: true })
  const key = JSON.stringify(input)
  const ask = useEffectEvent(async (isCurrent: () => boolean) => {
    setState((before) => ({ ...before, busy: true }))
    const { data, error } = await client.query(PreviewEmailDocument, { input }, { requestPolicy: 'network-only' })
    if (!isCurrent()) return
    setState(({ shown }) => ({ shown: data?.previewEmail ?? shown, problem: error && problemOf(error), busy: false }))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked again when what is previewed is another
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => void ask(() => isCurrent), patienceMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key])
  return state
}

/** The same for a content that is being edited, of a template or a campaign. */
export function useContentPreview(
  { subject, previewText, body, document, from, fromName, type }: Content,
  of: Pick<PreviewEmailInput, 'templateId' | 'campaignId'>,
  contactId: string | undefined,
): Preview {
  const written = useMemo(() => writtenInput({ body, document }), [body, document])
  return usePreview({
    ...{ ...of, ...written, subject, type },
    previewText: previewText || null,
    ...(from && { from }),
    fromName: fromName || null,
    ...(contactId && { contactId }),
  })
}

interface Props {
  preview: Preview
  look: PreviewLook
  onLook(change: Partial<PreviewLook>): void
}

const widths = [
  { value: '360', label: '360' },
  { value: '600', label: '600' },
  { value: 'full', label: 'Full' },
] as const
const views = [
  { value: 'html', label: 'Email' },
  { value: 'text', label: 'Plain text' },
  { value: 'links', label: 'Links' },
] as const
const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** An email as a contact gets it: at several widths, light and dark, as plain text, and its links. */
export function PreviewPanel({ preview: { shown, problem, busy }, look, onLook }: Props) {
  const { view = 'html', width = 'full', scheme = 'light' } = look
  return (
    <Section title="Preview" actions={busy && shown && <span className="muted">Updating…</span>}>
      <PreviewContact id={look.contact} onChoose={(contact) => onLook({ contact })} />
      <div className="actions">
        <Segmented label="Show" options={views} value={view} onChange={(next) => onLook({ view: next })} />
        {view === 'html' && (
          <>
            <Segmented label="Width" options={widths} value={width} onChange={(next) => onLook({ width: next })} />
            <Segmented label="Colours" options={schemes} value={scheme} onChange={(next) => onLook({ scheme: next })} />
          </>
        )}
      </div>
      {problem && (
        <Note kind="warn">
          <p>{problem.message}</p>
          {shown && <p>This is how it was before the last change:</p>}
        </Note>
      )}
      {!shown && busy && <Loading rows={6} />}
      {shown && (
        <>
          <Envelope shown={shown} />
          {view === 'html' && (
            <EmailFrame
              html={shown.html}
              title="The email as it arrives"
              scheme={scheme}
              {...(width !== 'full' && { width: Number(width) })}
            />
          )}
          {view === 'text' && <pre className="code tall">{shown.text}</pre>}
          {view === 'links' && <Links links={shown.links} />}
        </>
      )}
    </Section>
  )
}

const gmailBytes = 104_448

function Envelope({ shown: { from, fromName, subject, previewText, replyTo, missing, sizeBytes } }: { shown: Shown }) {
  const isCut = sizeBytes > gmailBytes
  return (
    <>
      <Facts
        rows={[
          ['From', from === null ? null : `${fromName} <${from}>`],
          ['Subject', <strong key="subject">{subject || '(no subject)'}</strong>],
          ['Preview text', previewText],
          ['Replies go to', replyTo],
          [
            'Size',
            <span key="size">
              {bytes(sizeBytes)} {isCut && <Badge tone="warn">Gmail cuts it off</Badge>}
              <span className="muted"> of the 102 KB that Gmail shows</span>
            </span>,
          ],
        ]}
      />
      {missing.length > 0 && (
        <Note kind="warn">
          <p>
            No value for this contact:{' '}
            {missing.map((name) => (
              <code key={name} className="variable">
                {name}
              </code>
            ))}
          </p>
          <p>{`A default avoids gaps: {{ ${missing[0]} ?? "…" }}`}</p>
        </Note>
      )}
    </>
  )
}

function Links({ links }: { links: string[] }) {
  if (links.length === 0) return <p className="muted">It has no links besides those to unsubscribe.</p>
  return (
    <ol className="links-list">
      {links.map((link) => (
        <li key={link}>
          <a href={link} target="_blank" rel="noreferrer">
            {link}
          </a>
        </li>
      ))}
    </ol>
  )
}

function PreviewContact({ id, onChoose }: { id: string | undefined; onChoose(id: string | undefined): void }) {
  const client = useClient()
  const [{ data, error }] = useRead({ query: PreviewContactDocument, variables: { id: id ?? '' }, pause: id === undefined })
  const isGone = error !== undefined || data?.contact === null
  const chosen = id === undefined ? undefined : isGone ? 'a contact that does not exist' : (data?.contact?.email ?? '…')
  return (
    <div className="actions">
      <Lookup label="As this contact gets it" chosen={chosen} find={(text) => findContacts(client, text)} onChoose={onChoose} />
      {id === undefined && <span className="muted">Now: a subscribed contact without data</span>}
    </div>
  )
}
