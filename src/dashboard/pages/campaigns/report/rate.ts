import { useEffect, useRef, useState } from 'react'

const windowMs = 15_000
const everyMs = 1_000

/** How many per second a count has grown by in the last 15 seconds; undefined until that is known. */
export function useRate(count: number): number | undefined {
  const seen = useRef<{ at: number; count: number }[]>([])
  const latest = useRef(count)
  const [rate, setRate] = useState<number>()
  useEffect(() => {
    latest.current = count
  }, [count])
  useEffect(() => {
    const timer = setInterval(() => {
      const now = { at: performance.now(), count: latest.current }
      seen.current = [...seen.current, now].filter(({ at }) => at >= now.at - windowMs)
      const [first] = seen.current
      if (first && now.at > first.at) setRate(((now.count - first.count) * 1000) / (now.at - first.at))
    }, everyMs)
    return () => clearInterval(timer)
  }, [])
  return rate
}

/** A duration in words, such as 3 min. */
export function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`
  return `${Math.ceil(seconds / 360) / 10} h`
}
