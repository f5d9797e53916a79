import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { User } from './shapes.ts'
import { getViewer } from './users.ts'

/** People. */
export const routes = [route('GET', '/users/@me', 'user', Nothing, User, getViewer, { summary: 'Who is signed in', whileUnverified: true })]
