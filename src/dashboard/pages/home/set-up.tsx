import { useIsAdmin } from '../../data/project.tsx'
import type { HomeQuery } from '../../graphql/graphql.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'

type State = HomeQuery['project']['setupState']

const steps: { title: string; what: string; byAdmin?: true; isDone(state: State): boolean }[] = [
  {
    title: 'Verify a sender domain',
    what: 'Add the DNS records that prove that it is yours; until then nothing can be sent from it.',
    byAdmin: true,
    isDone: (state) => state.hasVerifiedDomain,
  },
  {
    title: 'Add contacts',
    what: 'Import a CSV file, or track events: each creates the contact it happens to.',
    isDone: (state) => state.contactCount > 0,
  },
  { title: 'Send a campaign', what: 'An email to many contacts, sent once.', isDone: (state) => state.lastCampaignSentAt !== null },
  {
    title: 'Enable a workflow',
    what: 'Steps that contacts go through by themselves, such as a welcome.',
    isDone: (state) => state.hasEnabledWorkflow,
  },
]

/** What is left to set up; it ticks itself off, and goes once everything is done. */
export function SetUp({ state }: { state: State }) {
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
                <strong>{step.title}</strong>
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
