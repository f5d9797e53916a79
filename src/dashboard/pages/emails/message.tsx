import { problemOf } from '../../data/failures.ts'
import { bytes } from '../../data/format.ts'
import { useRead } from '../../data/read.ts'
import { EmailMessageDocument, type EmailMessageQuery } from '../../graphql/graphql.ts'
import { EmailFrame } from '../../parts/email-frame.tsx'
import { CopyButton } from '../../parts/facts.tsx'
import { Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { TabBody } from '../../parts/tabs.tsx'
import type { EmailTab } from './tabs.ts'

type Content = NonNullable<NonNullable<EmailMessageQuery['email']>['message']>

/** What an email says, in one of its forms. It is read only when it is asked for, because rendering it takes the server some work. */
export function Message({ id, tab }: { id: string; tab: Exclude<EmailTab, 'timeline'> }) {
  const [{ data, error }, ask] = useRead({ query: EmailMessageDocument, variables: { id }, requestPolicy: 'cache-first' })
  const content = data?.email?.message
  return (
    <TabBody label={tab}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!error && !data && <Loading />}
      {data && !error && !content && <Empty icon="mail" title="Its content is not stored any more" />}
      {content && (
        <>
          {!content.isExact && (
            <Note>This is rendered again from what was accepted, with the data that the contact has now. Its links count nothing.</Note>
          )}
          <Form content={content} tab={tab} />
        </>
      )}
    </TabBody>
  )
}

function Form({ content, tab }: { content: Content; tab: Exclude<EmailTab, 'timeline'> }) {
  switch (tab) {
    case 'html':
      return content.html ? <EmailFrame html={content.html} title="The email as HTML" /> : <Empty icon="mail" title="It has no HTML" />
    case 'text':
      return content.text ? <pre className="code">{content.text}</pre> : <Empty icon="mail" title="It has no text" />
    case 'headers':
      return <Headers headers={content.headers} />
    case 'attachments':
      return <Attachments attachments={content.attachments} />
    case 'source':
      return <Source raw={content.raw} />
  }
}

function Headers({ headers }: Pick<Content, 'headers'>) {
  const rows = headers.map((header, at) => ({ ...header, at }))
  return (
    <Table
      label="Headers"
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={[
        { name: 'Name', cell: ({ name }) => name },
        { name: 'Value', cell: ({ value }) => <code>{value}</code> },
      ]}
    />
  )
}

function Attachments({ attachments }: Pick<Content, 'attachments'>) {
  if (attachments.length === 0) return <Empty icon="file" title="It has no attachments" />
  const rows = attachments.map((attachment, at) => ({ ...attachment, at }))
  return (
    <Table
      label="Attachments"
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={[
        { name: 'Name', cell: ({ filename }) => filename ?? '(no name)' },
        { name: 'Type', cell: ({ contentType }) => contentType },
        { name: 'Size', numeric: true, cell: ({ size }) => bytes(size) },
      ]}
    />
  )
}

function Source({ raw }: Pick<Content, 'raw'>) {
  return (
    <>
      <div className="actions end">
        <CopyButton text={raw} what="Source" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code tall" tabIndex={0}>
        {raw}
      </pre>
    </>
  )
}
