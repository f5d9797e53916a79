import { describe, expect, test } from 'vitest'
import { inviteMember } from '../../../src/modules/projects/members/invitations.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { tokenTo } from '../../help/notices.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// What a person can ask before they are in any project.
const { call, url, world } = await testServer()
const ask = asker(url)
const readConfig = graphql(`
  query ReadConfig {
    config {
      environment apiUrl dashboardUrl billingEnabled signupsEnabled verificationRequired accountEmailsEnabled oauthProviders
      maxAttachmentBytes maxImageBytes maxImportBytes
    }
  }
`)
const readInvitation = graphql(`query ReadInvitation($token: String!) { invitation(token: $token) { projectName email role hasAccount } }`)
const accept = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    acceptInvitation(input: $input) { user { email } project { id name role webhookSecret } }
  }
`)
const join = graphql(`mutation JoinProject($input: JoinProjectInput!) { joinProject(input: $input) { project { id role } } }`)
const codesOf = ({ errors }: { errors: { extensions: { code: string } }[] }) => errors.map(({ extensions }) => extensions.code)

async function invited(email: string) {
  const { projectId } = await freshProject(world, 'Acme')
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  const invitation = await inviteMember(owner.ctx, { id: projectId, email, role: 'ADMIN' })
  return { projectId, owner, invitation, token: await tokenTo(world, email, 'invitation') }
}

test('config is what GET /config and /auth/oauth-config say, for anyone', async () => {
  const [{ data }, { body }, oauth] = await Promise.all([ask(readConfig), call('GET /config'), call('GET /auth/oauth-config')])
  const { features, urls } = body
  expect(data?.config).toEqual({
    environment: body.environment.toUpperCase(),
    apiUrl: urls.api,
    dashboardUrl: urls.dashboard,
    billingEnabled: features.billing.enabled,
    signupsEnabled: features.signups.enabled,
    verificationRequired: features.email.verificationRequired,
    accountEmailsEnabled: features.email.accountEmailsEnabled,
    oauthProviders: Object.keys(oauth.body.data).flatMap((name) => (oauth.body.data[name] ? name.toUpperCase() : [])),
    maxAttachmentBytes: 10 * 1024 * 1024,
    maxImageBytes: 10 * 1024 * 1024,
    maxImportBytes: 5 * 1024 * 1024,
  })
})

describe('an invitation', () => {
  test('can be read by whoever has its link, until it is accepted', async () => {
    const { token } = await invited('guest@unchosen.test')
    expect((await ask(readInvitation, { token })).data?.invitation).toEqual({
      projectName: 'Acme',
      email: 'guest@unchosen.test',
      role: 'ADMIN',
      hasAccount: false,
    })
    expect((await ask(readInvitation, { token: 'another' })).data).toEqual({ invitation: null })
    expect((await ask(accept, { input: { token, password: 'correct horse battery' } })).errors).toEqual([])
    expect((await ask(readInvitation, { token })).data).toEqual({ invitation: null })
  })

  test('answers the project that was joined, as its new member may see it', async () => {
    const { token, projectId } = await invited('new@unchosen.test')
    const made = await ask(accept, { input: { token, password: 'correct horse battery' } })
    expect(made.data?.acceptInvitation).toEqual({
      user: { email: 'new@unchosen.test' },
      project: { id: projectId, name: 'Acme', role: 'ADMIN', webhookSecret: expect.stringMatching(/^whsec_/) },
    })
    const member = await freshUser(world)
    const again = await invited(member.email)
    const joined = await ask(accept, { input: { token: again.token } }, { cookie: member.cookie })
    expect(joined.data?.acceptInvitation.project).toMatchObject({ id: again.projectId, role: 'ADMIN' })
  })
})

describe('an X-Project-Id of a project that is not theirs any more', () => {
  test('does not keep people from what needs no project', async () => {
    const person = await freshUser(world)
    const { invitation, projectId } = await invited(person.email)
    const headers = { cookie: person.cookie, 'x-project-id': (await freshProject(world)).projectId }
    expect((await ask('{ viewer { email sessions { current } } config { environment } }', {}, headers)).errors).toEqual([])
    expect((await ask(join, { input: { invitationId: invitation.id } }, headers)).data?.joinProject.project).toEqual({
      id: projectId,
      role: 'ADMIN',
    })
    expect((await ask('mutation { createProject(input: { name: "Mine" }) { project { role } } }', {}, headers)).errors).toEqual([])
    expect((await ask(`{ project(id: "${projectId}") { name } }`, {}, headers)).data).toEqual({ project: { name: 'Acme' } })
    expect((await ask('mutation { logOut { success } }', {}, headers)).errors).toEqual([])
  })

  test('is refused where a project is needed, with a suggestion for people', async () => {
    const { projectId } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const headers = { cookie, 'x-project-id': (await freshProject(world)).projectId }
    const refused = await ask('{ viewer { id } contacts { totalCount } }', {}, headers)
    expect([refused.status, codesOf(refused), refused.data]).toEqual([403, ['PROJECT_ACCESS_DENIED'], null])
    expect(refused.errors[0]?.extensions.suggestion).toBe('`viewer { projects }` lists yours.')
    expect((await call('GET /contacts', undefined, { headers })).body.error.code).toBe('PROJECT_ACCESS_DENIED')
  })
})
