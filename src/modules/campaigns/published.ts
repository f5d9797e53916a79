import type { CampaignAudience } from './audience/shapes.ts'

// What the API reference says of fields of a campaign that go together, as JSON Schema; the rules themselves stand with the shapes.
const nothing = { type: 'null' }
const segment = { type: 'string', minLength: 1 }
const filter = { type: 'object' }
const only = (audienceType: CampaignAudience) => ({ audienceType: { const: audienceType } })
const everybody = { properties: { ...only('ALL'), segmentId: nothing, audienceFilter: nothing } }

/** Each audience with what says who it is. */
export const publishedAudience = {
  anyOf: [
    everybody,
    { properties: { ...only('SEGMENT'), segmentId: segment, audienceFilter: nothing }, required: ['segmentId'] },
    { properties: { ...only('FILTERED'), segmentId: nothing, audienceFilter: filter }, required: ['audienceFilter'] },
  ],
}

/** The same of a change, which may leave out what stays. */
export const publishedAudienceChange = {
  anyOf: [
    everybody,
    { properties: { ...only('SEGMENT'), segmentId: segment, audienceFilter: nothing } },
    { properties: { ...only('FILTERED'), segmentId: nothing, audienceFilter: filter } },
  ],
}

/** A content of its own, or that of a template. */
export const publishedContent = {
  anyOf: [{ required: ['subject', 'body', 'from'] }, { required: ['templateId'], properties: { templateId: { type: 'string' } } }],
}
