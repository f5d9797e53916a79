import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { User } from './shapes.ts'
import { getViewer } from './users.ts'

/** The user who is signed in; account and session routes are in the auth module. */
export const routes = [
  route('GET', '/users/@me', 'user', Nothing, User, getViewer, { summary: 'Get the user who is signed in', whileUnverified: true }),
]
