import { Fragment, type ReactNode, useState } from 'react'
import { copyText } from '../data/clipboard.ts'
import { ago, moment, shortMoment } from '../data/format.ts'
import { Button, IconButton } from './button.tsx'
import { toast } from './toast.tsx'

/** Names and values; those without a value are left out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  const present = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl className="facts">
      {present.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** A moment: `relative` says how long ago, otherwise the time; the whole of it is shown as a tip. */
export function Time({ at, relative }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={moment(at)}>
      {relative ? ago(at) : shortMoment(at)}
    </time>
  )
}

/** Copies a text, and says so. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const copy = async () => toast((await copyText(text)) ? `${what} copied` : 'It could not be copied')
  return <IconButton icon="copy" label={`Copy ${what.toLowerCase()}`} onClick={copy} />
}

/** A text to be copied, such as an id. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}

/** A key, hidden until it is asked for. */
export function Secret({ text, what }: { text: string; what: string }) {
  const [shown, setShown] = useState(false)
  return (
    <span className="copyable">
      <code>{shown ? text : `${text.slice(0, 6)}${'•'.repeat(12)}`}</code>
      <Button kind="quiet" onClick={() => setShown(!shown)} aria-label={`${shown ? 'Hide' : 'Show'} ${what.toLowerCase()}`}>
        {shown ? 'Hide' : 'Show'}
      </Button>
      <CopyButton text={text} what={what} />
    </span>
  )
}
