import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { vi } from 'vitest'
import type { World } from '../../src/kit/world.ts'
import { inAdmission } from '../../src/server/admission.ts'

class Response extends EventEmitter {
  closed = false
  end(): void {
    this.closed = true
    this.emit('close')
  }
}

/** Admission to a world, apart from that of others, whose requests are answered when a test says so; `begun` are those that have been begun, by the names of their senders. */
export function admissionIn(shared: World, costMs: (sender: string) => number = () => 0) {
  // Nothing that other tests have begun counts.
  const world = { ...shared }
  const begun: { sender: string; end(): void }[] = []
  const answerer = inAdmission(world, (request, response) => {
    const sender = String(request.headers['x-sender'])
    vi.advanceTimersByTime(costMs(sender))
    begun.push({ sender, end: () => (response as unknown as Response).end() })
  })
  // Admission looks at nothing else of them.
  const admit = (request: object, response = new Response()): void =>
    answerer(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  const send = (count: number, sender: string, address: string, key = '', cookie = ''): Response[] =>
    Array.from({ length: count }, () => {
      const response = new Response()
      const headers = {
        'x-sender': sender,
        'x-forwarded-for': address,
        ...(key && { authorization: `Bearer ${key}` }),
        ...(cookie && { cookie }),
      }
      admit({ socket: {}, headers, complete: true }, response)
      return response
    })
  return { world, begun, admit, send, senders: () => begun.map(({ sender }) => sender) }
}

/** How many requests of a sender there are. */
export const times = (senders: string[], sender: string): number => senders.filter((one) => one === sender).length
