import { builder } from '../../../kit/builder.ts'
import { enumOf, readArguments } from '../../../kit/zod-input.ts'
import { findCampaign } from '../../campaigns/campaigns.ts'
import { findContact } from '../../contacts/contacts.ts'
import { findExecution } from '../../workflows/executions/relations.ts'
import { UpcomingSearch, type UpcomingActivity as UpcomingShape, UpcomingType } from './shapes.ts'
import { listUpcomingActivity } from './upcoming.ts'

const Type = enumOf('UpcomingActivityType', UpcomingType, 'What kind of thing is going to happen.', {
  'campaign.scheduled': 'A campaign is sent.',
  'workflow.email.scheduled': 'An execution of a workflow goes on to a step that sends an email.',
  'workflow.waiting': 'An execution of a workflow goes on to another step, or ends.',
})

const UpcomingActivity = builder.objectRef<UpcomingShape>('UpcomingActivity').implement({
  description: 'Something that is going to happen in the project.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the campaign or of the execution.' }),
    type: t.expose('type', { type: Type, description: 'What kind of thing it is.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it is due.' }),
    campaign: t.prismaField({
      type: 'Campaign',
      nullable: true,
      description: 'The campaign that is sent; null for an execution.',
      resolve: (query, { id, type }, _args, ctx) => findCampaign(ctx, { id: type === 'campaign.scheduled' ? id : null }, query),
    }),
    execution: t.prismaField({
      type: 'WorkflowExecution',
      nullable: true,
      description: 'The execution that goes on; null for a campaign.',
      resolve: (query, { id, contactId }, _args, ctx) => findExecution(ctx, { id: contactId === undefined ? null : id }, query),
    }),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The contact of the execution; null for a campaign.',
      resolve: (query, { contactId }, _args, ctx) => findContact(ctx, { id: contactId }, query),
    }),
  }),
})

builder.queryField('upcomingActivity', (t) =>
  t.field({
    type: [UpcomingActivity],
    description:
      'What is going to happen, soonest first: campaigns that are scheduled, also late ones, and executions of workflows that wait for a time.',
    extensions: { maxItems: 100 },
    args: {
      limit: t.arg.int({ required: true, defaultValue: 50, description: 'How many items, 1 to 100.' }),
      daysAhead: t.arg.int({ required: true, defaultValue: 30, description: 'How many days ahead, 1 to 90.' }),
    },
    resolve: async (_parent, args, ctx) => (await listUpcomingActivity(ctx, readArguments(UpcomingSearch, args))).data,
  }),
)
