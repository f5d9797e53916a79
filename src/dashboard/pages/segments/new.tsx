import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useProject } from '../../data/project.tsx'
import { CreateSegmentDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Builder } from '../../parts/condition/builder.tsx'
import { isComplete, newGroup, newRule, writeCondition } from '../../parts/condition/tree.ts'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { Preview } from './preview.tsx'

/** Creates a segment: by a rule, with whom it means shown at once, or by hand. */
export function NewSegment() {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [isStatic, setIsStatic] = useState(false)
  const [group, setGroup] = useState(() => newGroup('AND', [newRule({ field: 'subscribed', operator: 'EQUALS', value: true })]))
  const { run, busy, problem } = useAction(CreateSegmentDocument)
  const create = async ({ name = '', description = '', track }: Record<string, string>) => {
    const input = {
      name,
      ...(description.trim() !== '' && { description }),
      ...(isStatic
        ? { type: 'STATIC' as const }
        : { type: 'DYNAMIC' as const, condition: writeCondition(group), trackMembership: track === 'on' }),
    }
    const data = await run({ input })
    if (!data) return
    toast(`“${data.createSegment.segment.name}” has been created`)
    await navigate({ to: '/$project/segments/$segment', params: { project, segment: data.createSegment.segment.id } })
  }
  const isReady = isStatic || isComplete(group)
  return (
    <Page
      title="New segment"
      above={
        <Link to="/$project/segments" params={{ project }} className="back">
          <Icon name="chevron-left" />
          Segments
        </Link>
      }
    >
      <div className="beside">
        <Form onSubmit={(fields) => isReady && create(fields)} problem={problem} fields={['name', 'description']} label="New segment">
          <Section title="Segment">
            <TextField label="Name" name="name" required maxLength={100} autoComplete="off" problem={problemWith(problem, 'name')} />
            <TextField
              label="Description"
              name="description"
              hint="Optional: what it is for"
              autoComplete="off"
              problem={problemWith(problem, 'description')}
            />
            <SelectField
              label="Members"
              value={isStatic ? 'static' : 'dynamic'}
              options={[
                { value: 'dynamic', label: 'By a rule: contacts come and go by themselves' },
                { value: 'static', label: 'By hand: you add and remove contacts' },
              ]}
              onChange={(event) => setIsStatic(event.target.value === 'static')}
            />
            {!isStatic && (
              <CheckField
                label="Track who enters and leaves"
                name="track"
                hint="Members are computed every 5 minutes, and entering and leaving are events that workflows can start with."
              />
            )}
          </Section>
          {!isStatic && (
            <Section title="Rule">
              <Builder group={group} onChange={setGroup} />
            </Section>
          )}
          <div className="actions end">
            {!isReady && <span className="muted">Fill in every rule first.</span>}
            <Button kind="primary" type="submit" busy={busy} disabled={!isReady}>
              Create the segment
            </Button>
          </div>
        </Form>
        {isStatic ? <Nobody /> : <Preview group={group} />}
      </div>
    </Page>
  )
}

function Nobody() {
  return (
    <Section title="Who is in it">
      <p className="muted">Nobody at first: you add contacts by their addresses once it exists.</p>
    </Section>
  )
}
