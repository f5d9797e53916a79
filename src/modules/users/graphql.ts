import { builder } from '../../kit/builder.ts'
import type { User as UserShape } from './shapes.ts'
import { findViewer } from './users.ts'

const User = builder.objectRef<UserShape>('User').implement({
  description: 'A person with an account.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `usr_`.' }),
    email: t.exposeString('email'),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'Whether the address was proved to be theirs.' }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'Who is signed in by the session cookie; null for an API key and for nobody.',
    access: 'none',
    resolve: (_parent, _args, ctx) => findViewer(ctx),
  }),
)
