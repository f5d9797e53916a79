import { builder, payloadOf } from '../../../kit/builder.ts'
import { graphqlInput } from '../../../kit/zod-input.ts'
import { type Domain, DomainChange } from '../../domains/shapes.ts'
import { updateDomain } from './warm-up.ts'

const change = graphqlInput('UpdateDomainInput', DomainChange)
const UpdateDomainPayload = payloadOf<{ domain: Domain }>('UpdateDomainPayload', (t) => ({
  domain: t.field({ type: 'Domain', description: 'The domain as it is now.', resolve: ({ domain }) => domain }),
}))

builder.mutationField('updateDomain', (t) =>
  t.field({
    extensions: { waits: true },
    type: UpdateDomainPayload,
    description:
      'Begins or ends the warm-up of a domain: at most 50 emails leave from it on the first day (UTC), then 100, 500, 1,000, 5,000, 10,000, 20,000, 40,000, 70,000, 100,000 and 150,000, then 30 % more every day, up to 10 million. Beyond that emails of campaigns and workflows wait until the next day; transactional ones count and always leave. For keys, admins and owners. Fails with RESOURCE_NOT_FOUND, and FORBIDDEN for members.',
    args: change.args(t),
    access: 'admin',
    resolve: async (_parent, args, ctx) => ({ domain: await updateDomain(ctx, change.read(args)) }),
  }),
)
