import { builder } from '../../kit/builder.ts'
import type { User as UserShape } from './shapes.ts'
import { findViewer } from './users.ts'

const User = builder.objectRef<UserShape>('User').implement({
  description: 'A person with an account.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `usr_`.' }),
    email: t.exposeString('email', { description: 'The address they sign in with, lower-cased.' }),
    emailVerified: t.exposeBoolean('emailVerified', {
      description:
        'Whether they proved that the address is theirs: by a mailed link, or by a service that they sign in with. Where the installation sends no emails of its own (`Configuration.accountEmailsEnabled`) nobody has to, and it stays false without a service.',
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'The person signed in by the session cookie; null for an API key and when nobody is signed in.',
    access: 'none',
    resolve: (_parent, _args, ctx) => findViewer(ctx),
  }),
)
