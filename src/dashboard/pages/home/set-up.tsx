import { Link } from '@tanstack/react-router'
import { useIsAdmin, useProject } from '../../data/project.tsx'
import type { HomeQuery } from '../../graphql/graphql.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'

type State = HomeQuery['project']['setupState']

interface Step {
  title: string
  what: string
  /** Where it is done. */
  to?: '/$project/domains' | '/$project/workflows' | '/$project/contacts/import' | '/$project/campaigns'
  byAdmin?: true
  isDone(state: State): boolean
}

const steps: Step[] = [
  {
    title: 'Verify a sender domain',
    what: 'Add the DNS records that prove that it is yours; until then nothing can be sent from it.',
    to: '/$project/domains',
    byAdmin: true,
    isDone: (state) => state.hasVerifiedDomain,
  },
  {
    title: 'Add contacts',
    what: 'Import a CSV file, or track events: each creates the contact it happens to.',
    to: '/$project/contacts/import',
    isDone: (state) => state.contactCount > 0,
  },
  {
    title: 'Send a campaign',
    what: 'An email to many contacts, sent once.',
    to: '/$project/campaigns',
    isDone: (state) => state.lastCampaignSentAt !== null,
  },
  {
    title: 'Enable a workflow',
    what: 'Steps that contacts go through by themselves, such as a welcome.',
    to: '/$project/workflows',
    isDone: (state) => state.hasEnabledWorkflow,
  },
]

/** What is left to set up; it ticks itself off, and goes once everything is done. */
export function SetUp({ state }: { state: State }) {
  const { id: project } = useProject()
  const isAdmin = useIsAdmin()
  const done = steps.filter((step) => step.isDone(state)).length
  if (done === steps.length) return null
  return (
    <Section title={`Set up: ${done} of ${steps.length} done`}>
      <ol className="steps">
        {steps.map((step) => {
          const isDone = step.isDone(state)
          return (
            <li key={step.title} className={isDone ? 'done' : ''}>
              <Icon name={isDone ? 'check' : 'circle'} />
              <div>
                <strong>
                  {step.to && !isDone ? (
                    <Link to={step.to} params={{ project }}>
                      {step.title}
                    </Link>
                  ) : (
                    step.title
                  )}
                </strong>
                {isDone && <span className="sr-only"> (done)</span>}
                {!isDone && (
                  <p className="muted">
                    {step.what}
                    {step.byAdmin && !isAdmin && ' Only admins and owners can.'}
                  </p>
                )}
              </div>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
