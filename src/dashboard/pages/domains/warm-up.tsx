import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { day, number } from '../../data/format.ts'
import { useIsAdmin } from '../../data/project.tsx'
import { type DomainStateFragment, UpdateDomainDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Progress } from '../../parts/progress.tsx'
import { Badge, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

/** The ceiling per day of a domain that is new to mailbox providers: begun, watched and ended here. */
export function WarmUp({ domain }: { domain: DomainStateFragment }) {
  const isAdmin = useIsAdmin()
  const { warmUp } = domain
  return (
    <Section title="Warm-up" actions={isAdmin && (warmUp ? <End domain={domain} /> : <Begin domain={domain} />)}>
      {warmUp ? (
        <Going warmUp={warmUp} />
      ) : (
        <p className="muted">
          Mailbox providers distrust a new domain that sends much at once. With a warm-up, at most 50 emails leave on the first day (UTC),
          then 100, 500, 1,000 and more every day. What is beyond that waits for the next day; transactional email always leaves.
        </p>
      )}
    </Section>
  )
}

function Going({
  warmUp: { day: which, limitToday, sentToday, startedAt, waiting },
}: {
  warmUp: NonNullable<DomainStateFragment['warmUp']>
}) {
  const isOver = limitToday === null
  return (
    <>
      {isOver && <p className="muted">It is over: there is no limit any more, and you can end it.</p>}
      {!isOver && <Progress label="Sent today of the limit" percent={Math.min(100, (sentToday / Math.max(1, limitToday)) * 100)} />}
      <Facts
        rows={[
          ['Day', number(which)],
          ['Sent today', isOver ? number(sentToday) : `${number(sentToday)} of ${number(limitToday)}`],
          [
            'Waiting for another day',
            waiting > 0 ? (
              <Badge key="waiting" tone="warn">
                {waitingOf(waiting)}
              </Badge>
            ) : (
              '0'
            ),
          ],
          ['Begun', day(startedAt)],
        ]}
      />
    </>
  )
}

// It is counted up to there.
const maxWaiting = 100_000
const waitingOf = (count: number) => (count >= maxWaiting ? `${number(maxWaiting)} or more` : number(count))

function Begin({ domain: { id } }: { domain: DomainStateFragment }) {
  const { run, busy, problem } = useAction(UpdateDomainDocument)
  const begin = async () => {
    if (await run({ input: { id, warmUp: true } })) toast('The warm-up has begun', 'At most 50 emails leave today.')
  }
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button icon="play" busy={busy} onClick={begin}>
        Begin the warm-up
      </Button>
    </>
  )
}

function End({ domain: { id } }: { domain: DomainStateFragment }) {
  const [isAsked, setIsAsked] = useState(false)
  const { run, problem, reset } = useAction(UpdateDomainDocument)
  const end = async () => {
    if (!(await run({ input: { id, warmUp: false } }))) return
    setIsAsked(false)
    toast('The warm-up has ended')
  }
  const ask = () => {
    reset()
    setIsAsked(true)
  }
  return (
    <>
      <Button onClick={ask}>End the warm-up</Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title="End the warm-up?"
        verb="End it"
        problem={problem}
        onConfirm={end}
      >
        Emails that wait leave at once, and there is no limit any more. If you begin again, it begins with the first day.
      </ConfirmDialog>
    </>
  )
}
