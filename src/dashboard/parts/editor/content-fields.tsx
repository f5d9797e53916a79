import { type Problem, problemWith } from '../../data/failures.ts'
import { useRead } from '../../data/read.ts'
import { type EmailType, SenderDomainsDocument } from '../../graphql/graphql.ts'
import { SelectField, TextField } from '../field.tsx'
import { Note } from '../state.tsx'
import { type Content, emailTypes } from './content.ts'

/** The fields of a content that ContentFields shows, for forms that show elsewhere what is wrong with others. */
export const contentFields = ['subject', 'previewText', 'body', 'document', 'from', 'fromName', 'replyTo', 'type']

interface Props {
  content: Content
  onChange(part: Partial<Content>): void
  problem: Problem | undefined
}

/** Subject, preview text, sender and type of an email. */
export function ContentFields({ content, onChange, problem }: Props) {
  const type = emailTypes.find(({ value }) => value === content.type)
  const line = (name: Exclude<keyof Content, 'type' | 'body' | 'document'>) => ({
    name,
    value: content[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
    problem: problemWith(problem, name),
    autoComplete: 'off',
  })
  return (
    <>
      <TextField label="Subject" {...line('subject')} maxLength={998} />
      <TextField label="Preview text" {...line('previewText')} maxLength={200} hint="What mail programs show beside the subject" />
      <div className="fields-beside">
        <FromField {...line('from')} />
        <TextField label="Name of the sender" {...line('fromName')} />
        <TextField label="Replies go to" {...line('replyTo')} type="email" placeholder={content.from} />
        <SelectField
          label="Type"
          options={emailTypes}
          value={content.type}
          onChange={(event) => onChange({ type: event.target.value as EmailType })}
          hint={type?.hint}
        />
      </div>
    </>
  )
}

type FromProps = Parameters<typeof TextField>[0]

/** The address of the sender, with the domains of the project that are verified. */
function FromField(props: Omit<FromProps, 'label'>) {
  const domains = useSenderDomains()
  const list = domains?.map((domain) => `@${domain}`).join(', ')
  return <TextField {...props} label="From" type="email" hint={list ? `On a verified domain: ${list}` : undefined} />
}

/** The domains that can be sent from, once they are known. */
export function useSenderDomains(): string[] | undefined {
  const [{ data }] = useRead({ query: SenderDomainsDocument })
  return data?.domains.nodes.filter(({ status }) => status === 'VERIFIED').map(({ domain }) => domain)
}

/** That nothing can be sent yet, where that is so. */
export function NoDomainNote() {
  const domains = useSenderDomains()
  if (domains === undefined || domains.length > 0) return null
  return <Note kind="warn">The project has no verified domain yet. Emails need a sender on one: add and verify it first.</Note>
}
