import { alsoWith, download, type RouteNotes, route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { maxTemplateBytes } from '../templates/shapes.ts'
import { previewAudience } from './audience/preview.ts'
import { AudiencePreview } from './audience/shapes.ts'
import { getCampaign, listCampaigns } from './campaigns.ts'
import { createCampaign, deleteCampaign, duplicateCampaign, replaceCampaign } from './changes.ts'
import { CampaignStats } from './counts/shapes.ts'
import { getCampaignStats } from './counts/stats.ts'
import { exportRecipients, listRecipients } from './recipients/recipients.ts'
import { RecipientPage, RecipientSearch, RecipientsCsv } from './recipients/shapes.ts'
import { sendCampaign } from './sending/send.ts'
import { sendCampaignTest } from './sending/send-test.ts'
import { CampaignSending, CampaignTest, CampaignTested } from './sending/shapes.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from './sending/stop.ts'
import { Campaign, CampaignChange, CampaignCopy, CampaignDraft, CampaignPage, CampaignSearch } from './shapes.ts'

const missing: RouteNotes<unknown>['errors'] = ['RESOURCE_NOT_FOUND']
const inState: RouteNotes<unknown>['errors'] = ['RESOURCE_NOT_FOUND', 'CONFLICT']

/** The endpoints of campaigns. */
export const routes = [
  route('GET', '/campaigns', 'secret', CampaignSearch, CampaignPage, listCampaigns, {
    summary: 'List campaigns, newest first',
    description:
      'By cursor, or by page number with `page` and `pageSize`; on later pages by cursor `page`, `total` and `totalPages` are 0. A page of several large campaigns is answered with 413 when their bodies and conditions have more than 4 MB together: take a smaller `limit`.',
    errors: ['PAYLOAD_TOO_LARGE'],
  }),
  route('POST', '/campaigns', 'secret', CampaignDraft, Campaign, createCampaign, {
    summary: 'Create a campaign',
    description:
      'It is a draft until POST /campaigns/:id/send. The Liquid of subject, preview text and body is checked: an error has the line and column of the problem. With `templateId` what is left out of the content is copied from the template, once: later changes of the template do not change the campaign.',
    status: 201,
    wrap: true,
    errors: ['DOMAIN_NOT_VERIFIED', 'SEGMENT_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
    bodyLimit: maxTemplateBytes,
  }),
  route('GET', '/campaigns/:id', 'secret', ById, Campaign, getCampaign, { summary: 'Get a campaign', errors: missing }),
  route('PUT', '/campaigns/:id', 'secret', CampaignChange, Campaign, replaceCampaign, {
    summary: 'Replace or change a campaign',
    description:
      'With `name`, `subject`, `body`, `from` and `audienceType` it is replaced: optional fields that are left out become null. Otherwise only what is given changes. Only a DRAFT or SCHEDULED campaign can be changed; `maxPerHour` alone also while it is SENDING. What `templateId` copies from a template counts as given. A copy for a part of the recipients of another campaign (`sourceCampaignId`) stays one as long as `audienceType`, `segmentId` and `audienceFilter` stay as they are; another audience makes it a campaign to that audience. `segmentId` and `audienceFilter` are refused with 422 where they belong to another audience.',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT', 'DOMAIN_NOT_VERIFIED', 'SEGMENT_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
    bodyLimit: maxTemplateBytes,
  }),
  route('DELETE', '/campaigns/:id', 'secret', ById, Empty, deleteCampaign, {
    summary: 'Delete a campaign',
    description: 'Its emails, and what is logged of it, stay.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND', 'CAMPAIGN_ACTIVE'],
  }),
  route('POST', '/campaigns/:id/duplicate', 'secret', CampaignCopy, Campaign, duplicateCampaign, {
    summary: 'Duplicate a campaign',
    description:
      'The copy is a draft with ` (Copy)` added to its name; with `audience` it is for a part of the recipients of the original, with `templateId` it has the content of a template.',
    status: 201,
    errors: ['RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'DOMAIN_NOT_VERIFIED', 'CONFLICT'],
  }),
  route('POST', '/campaigns/:id/send', 'secret', CampaignSending, Campaign, sendCampaign, {
    summary: 'Send a campaign, now or later',
    description:
      'Audience and content are those of the moment it starts: the recipients are fixed once, before the first email leaves. It is a draft again if a segment, a field or an event that says who they are is deleted from when it is scheduled, or its audience was last changed, until they are fixed. A scheduled campaign can be sent now or at another time. At most 100 campaigns of a project are scheduled or being sent at a time.',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED', 'DOMAIN_NOT_VERIFIED', 'BILLING_LIMIT_EXCEEDED'],
  }),
  route('POST', '/campaigns/:id/cancel', 'secret', ById, Campaign, cancelCampaign, {
    summary: 'Cancel a campaign',
    description: 'Nothing of it leaves after the answer. It becomes a DRAFT again when nothing has left yet, otherwise CANCELLED for good.',
    errors: inState,
  }),
  route('POST', '/campaigns/:id/pause', 'secret', ById, Campaign, pauseCampaign, {
    summary: 'Pause a campaign',
    description: 'Nothing of it leaves after the answer, until POST /campaigns/:id/resume.',
    errors: inState,
  }),
  route('POST', '/campaigns/:id/resume', 'secret', ById, Campaign, resumeCampaign, {
    summary: 'Resume a campaign',
    errors: inState,
  }),
  route('POST', '/campaigns/:id/test', 'secret', CampaignTest, CampaignTested, sendCampaignTest, {
    summary: 'Send a campaign to one address as a test',
    description:
      'At once, with `[TEST]` before the subject and without tracking; variables are those of the contact with that address, if there is one. No contact and no email is stored, and nothing is counted; a project may send 100 tests per hour. A person may send it to members of the project only.',
    errors: ['RESOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND', 'FORBIDDEN', 'DOMAIN_NOT_VERIFIED', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('GET', '/campaigns/:id/stats', 'secret', ById, CampaignStats, getCampaignStats, {
    summary: 'Get the statistics of a campaign',
    description: 'At most 2 s behind what happened. Rates are percent of what was sent.',
    errors: missing,
  }),
  route('GET', '/campaigns/:id/audience', 'secret', ById, AudiencePreview, previewAudience, {
    summary: 'Count who would be sent a campaign now',
    errors: missing,
  }),
  alsoWith(
    route('GET', '/campaigns/:id/recipients', 'secret', RecipientSearch, RecipientPage, listRecipients, {
      summary: 'List the recipients of a campaign',
      description:
        'In the order of their contacts; with `outcome=EXCLUDED` those of the audience who are not sent it, with the reason. With `Accept: text/csv` it is a CSV file (RFC 4180) with all of them, streamed as fast as it is read; `limit` and `cursor` do not matter then.',
      errors: missing,
    }),
    download('/campaigns/:id/recipients', 'secret', RecipientSearch, RecipientsCsv, exportRecipients, {
      summary: 'Export the recipients of a campaign as CSV',
      file: 'text/csv',
    }),
  ),
]
