import { useEffect, useState } from 'react'
import { type Client, useClient } from 'urql'
import { ContactFieldsDocument, type ContactFieldsQuery, SegmentNamesDocument, type SegmentNamesQuery } from '../graphql/graphql.ts'

/** A field of the contacts of the project. */
export type ContactField = ContactFieldsQuery['contactFields']['nodes'][number]
/** A segment, as lists to choose from have it. */
export type SegmentName = SegmentNamesQuery['segments']['nodes'][number]

const size = 100
const maxPages = 21

/** The fields of the contacts, by name; undefined until they have been read. */
export function useContactFields(): ContactField[] | undefined {
  return useAll(readFields)
}

/** The segments of the project, newest first, at most 2,100; undefined until they have been read. */
export function useSegmentNames(): SegmentName[] | undefined {
  return useAll(readSegments)
}

type Read<T> = (
  client: Client,
  after: string | null,
) => Promise<{ nodes: T[]; pageInfo: { endCursor: string | null; hasNextPage: boolean } } | undefined>

const readFields: Read<ContactField> = async (client, after) =>
  (await client.query(ContactFieldsDocument, { first: size, after }, { requestPolicy: 'network-only' })).data?.contactFields

const readSegments: Read<SegmentName> = async (client, after) =>
  (await client.query(SegmentNamesDocument, { first: size, after }, { requestPolicy: 'network-only' })).data?.segments

// Page after page: each has at most 100. What has been read is shown when a later page fails.
function useAll<T>(read: Read<T>): T[] | undefined {
  const client = useClient()
  const [all, setAll] = useState<T[]>()
  useEffect(() => {
    let isCurrent = true
    const go = async () => {
      let after: string | null = null
      const found: T[] = []
      for (let page = 0; page < maxPages; page++) {
        const answer = await read(client, after)
        if (!isCurrent) return
        found.push(...(answer?.nodes ?? []))
        setAll([...found])
        if (!answer?.pageInfo.hasNextPage) return
        after = answer.pageInfo.endCursor
      }
    }
    void go()
    return () => {
      isCurrent = false
    }
  }, [client, read])
  return all
}

/** The name of a field as people know it: custom ones without `data.`. */
export function fieldLabel(field: string): string {
  const standard: Record<string, string> = { email: 'Address', subscribed: 'Subscribed', createdAt: 'Created', updatedAt: 'Changed' }
  return standard[field] ?? field.replace(/^data\./, '')
}

/** A value of custom data as one line of text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
