import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { type JobItemFragment, JobProgressDocument, OneJobDocument } from '../graphql/graphql.ts'
import { type Problem, problemOf } from './failures.ts'
import { useLive } from './project.tsx'

/** Work that goes on in the background, as it is now. */
export type Job = JobItemFragment

const final = ['COMPLETED', 'FAILED', 'CANCELLED']

/** Whether nothing more happens with a job. */
export function hasEnded({ state }: Pick<Job, 'state'>): boolean {
  return final.includes(state)
}

/** A job as it goes on, by its own subscription: undefined until it is known, null when there is no such job (any more). */
export function useJob(id: string | undefined, onEnd?: () => void): { job: Job | null | undefined; problem: Problem | undefined } {
  const client = useClient()
  const live = useLive()
  const [known, setKnown] = useState<{ id: string; job: Job | null; problem?: Problem }>()
  const [ended, setEnded] = useState<string>()
  useEffect(() => {
    if (id === undefined) return
    let isCurrent = true
    const read = async () => {
      const { data, error } = await client.query(OneJobDocument, { id }, { requestPolicy: 'network-only' })
      if (!isCurrent || !(data || error)) return
      const answer = { id, job: data?.job ?? null, problem: error && problemOf(error) }
      // What was pushed meanwhile is newer than the answer.
      setKnown((already) => (already?.id === id ? already : answer))
    }
    void read()
    const stop = live.watch(JobProgressDocument, { id }, ({ jobProgress: job }) => isCurrent && setKnown({ id, job }))
    return () => {
      isCurrent = false
      stop()
    }
  }, [id, client, live])
  const current = known && known.id === id ? known : undefined
  const isOver = current?.job ? hasEnded(current.job) : false
  useEffect(() => {
    if (!isOver || id === undefined || ended === id) return
    setEnded(id)
    onEnd?.()
  }, [isOver, id, ended, onEnd])
  return { job: current?.job, problem: current?.problem }
}
