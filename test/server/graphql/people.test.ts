import { createClient } from 'graphql-ws'
import { afterAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { accessOf } from '../../../src/kit/field-access.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { asker } from '../../help/ask.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// People who are signed in, over GraphQL.
const { url, world } = await testServer({ worker: true })
const secondServer = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const ask = asker(url)
const inProject = (cookie: string, projectId: string) => ({ cookie, 'x-project-id': projectId })
const codesOf = ({ errors }: { errors: { extensions: { code: string } }[] }) => errors.map(({ extensions }) => extensions.code)
const closings: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closings) await close()
})

describe('signing in', () => {
  test('signUp and logIn hand out the session cookie, viewer knows it, logOut ends it', async () => {
    const account = { input: { email: 'graph@example.com', password: 'correct horse battery' } }
    const made = await ask<{ signUp: { user: { email: string } } }>(
      'mutation ($input: SignUpInput!) { signUp(input: $input) { user { id email } } }',
      account,
    )
    expect(made.data?.signUp.user.email).toBe('graph@example.com')
    const cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const viewer = '{ viewer { email emailVerified projects { nodes { id } } sessions { current } } }'
    expect((await ask(viewer, {}, { cookie })).data).toEqual({
      viewer: { email: 'graph@example.com', emailVerified: false, projects: { nodes: [] }, sessions: [{ current: true }] },
    })
    const again = await ask('mutation ($input: LogInInput!) { logIn(input: $input) { user { id } } }', account, { cookie })
    expect(again.headers.getSetCookie()[0]).toMatch(/^session=/)
    expect((await ask('mutation { logOut { success } }', {}, { cookie })).data).toEqual({ logOut: { success: true } })
    expect((await ask(viewer, {}, { cookie })).data).toEqual({ viewer: null })
  })

  test('a wrong password is INVALID_CREDENTIALS, and viewer is null for nobody and for keys', async () => {
    const { email } = await freshUser(world)
    const wrong = await ask('mutation ($e: String!) { logIn(input: { email: $e, password: "wrong password" }) { user { id } } }', {
      e: email,
    })
    expect(codesOf(wrong)).toEqual(['INVALID_CREDENTIALS'])
    expect((await ask('{ viewer { id } }')).data).toEqual({ viewer: null })
    const { secret } = await freshProject(world)
    expect((await asker(url, secret)('{ viewer { id } }')).data).toEqual({ viewer: null })
  })

  test.each([
    ['{ viewer { id } contacts { totalCount } }'],
    ['{ ...f } fragment f on Query { ... on Query { contacts { totalCount } } }'],
    ['mutation { createProject(input: { name: "A" }) { project { id } } }'],
    ['mutation { logOut { success } createTemplate(input: { subject: "S", body: "B", from: "a@b.test" }) { template { id } } }'],
    ['subscription { activity { id } }'],
  ])('nothing of %s runs for nobody', async (document) => {
    const answer = await ask(document)
    expect([answer.status, codesOf(answer), answer.data]).toEqual([401, ['MISSING_AUTH'], null])
  })
})

describe('projects', () => {
  test('somebody signed in makes one, sees it with its keys, and works in it', async () => {
    const { cookie } = await freshUser(world)
    type Made = { createProject: { project: { id: string; keys: { secretKey: string }; role: string } } }
    const { data } = await ask<Made>(
      'mutation { createProject(input: { name: "Acme" }) { project { id role keys { publicKey secretKey } } } }',
      {},
      { cookie },
    )
    expect(data?.createProject.project).toMatchObject({ role: 'OWNER', keys: { secretKey: expect.stringMatching(/^sk_/) } })
    const made = await ask('mutation { upsertContact(input: { email: "ada@example.com" }) { contact { email } } }', {}, { cookie })
    expect(made.errors).toEqual([])
    const seen = await asker(url, data?.createProject.project.keys.secretKey)('{ contacts { nodes { email } } }')
    expect(seen.data).toEqual({ contacts: { nodes: [{ email: 'ada@example.com' }] } })
  })

  test('of several the one X-Project-Id names; project(id) opens each of them, and no other', async () => {
    const [first, second, foreign] = [await freshProject(world, 'One'), await freshProject(world, 'Two'), await freshProject(world)]
    const user = await freshUser(world, {
      member: [
        { projectId: first.projectId, role: 'ADMIN' },
        { projectId: second.projectId, role: 'MEMBER' },
      ],
    })
    const other = await freshUser(world, { member: { projectId: foreign.projectId, role: 'OWNER' } })
    const { cookie } = user
    const project = 'query ($id: ID) { project(id: $id) { name role members { nodes { email } } keys { publicKey secretKey } } }'
    expect(codesOf(await ask('{ contacts { totalCount } }', {}, { cookie }))).toEqual(['BAD_REQUEST'])
    expect(codesOf(await ask(project, {}, { cookie }))).toEqual(['BAD_REQUEST'])
    expect((await ask(project, { id: first.projectId }, { cookie })).data).toMatchObject({ project: { name: 'One', role: 'ADMIN' } })
    const asMember = await ask(project, { id: second.projectId }, { cookie })
    expect([codesOf(asMember), asMember.data]).toMatchObject([[], { project: { keys: { publicKey: second.public, secretKey: null } } }])
    expect((await ask('{ project { name } }', {}, inProject(cookie, second.projectId))).data).toEqual({ project: { name: 'Two' } })
    expect(codesOf(await ask(project, { id: foreign.projectId }, { cookie }))).toEqual(['RESOURCE_NOT_FOUND'])
    const denied = await ask('{ project { name } }', {}, inProject(cookie, foreign.projectId))
    expect(codesOf(denied)).toEqual(['PROJECT_ACCESS_DENIED'])
    expect(codesOf(await asker(url, first.secret)(project, { id: foreign.projectId }))).toEqual(['RESOURCE_NOT_FOUND'])
    expect((await ask('{ node(id: "x") { id } }', {}, inProject(other.cookie, foreign.projectId))).data).toEqual({ node: null })
  })
})

describe('mutations for admins and owners', () => {
  const user = 'usr_00000000000000000000000000'
  const project = 'prj_00000000000000000000000001'
  const forAdmins = {
    updateBillingLimits: 'updateBillingLimits(input: { transactional: 10 }) { billingLimits { currency } }',
    createCheckout: 'createCheckout(input: {}) { url }',
    openBillingPortal: 'openBillingPortal { url }',
    updateProject: 'updateProject(input: { name: "New" }) { project { id } }',
    regenerateKeys: 'regenerateKeys { keys { publicKey } }',
    rotateWebhookSecret: 'rotateWebhookSecret { project { id } }',
    createDomain: 'createDomain(input: { domain: "new.test" }) { domain { id } }',
    updateDomain: 'updateDomain(input: { id: "dom_00000000000000000000000000", warmUp: true }) { domain { id } }',
    deleteDomain: 'deleteDomain(input: { id: "dom_00000000000000000000000000" }) { deletedDomainId }',
  }
  const forOwners = {
    inviteMember: 'inviteMember(input: { email: "a@b.test", role: MEMBER }) { invitation { email } }',
    updateMember: `updateMember(input: { userId: "${user}", role: ADMIN }) { member { userId } }`,
    removeMember: `removeMember(input: { userId: "${user}" }) { removedUserId }`,
    revokeInvitation: 'revokeInvitation(input: { id: "inv_00000000000000000000000000" }) { revokedInvitationId }',
  }
  // About the project they name, wherever the caller is.
  const forOwnersById = {
    resetProject: `resetProject(input: { id: "${project}" }) { done }`,
    deleteProject: `deleteProject(input: { id: "${project}" }) { deletedProjectId }`,
  }
  const forMembers = [
    ...[
      'upsertContact',
      'updateContact',
      'deleteContact',
      'createTemplate',
      'updateTemplate',
      'deleteTemplate',
      'duplicateTemplate',
      'restoreTemplateVersion',
    ],
    ...['sendEmail', 'trackEvent', 'deleteEventName', 'uploadImage', 'deleteUpload', 'verifyDomain'],
    ...[
      'importContacts',
      'importSuppressions',
      'bulkDeleteContacts',
      'bulkSubscribeContacts',
      'bulkUnsubscribeContacts',
      'cancelJob',
      'deleteContactField',
    ],
    ...['suppressAddresses', 'deleteSuppression', 'createSegment', 'updateSegment', 'deleteSegment', 'computeSegment', 'refreshSegment'],
    ...['addSegmentMembers', 'removeSegmentMembers', 'createCampaign', 'updateCampaign', 'deleteCampaign', 'duplicateCampaign'],
    ...['createWorkflow', 'updateWorkflow', 'deleteWorkflow', 'duplicateWorkflow', 'createWorkflowStep', 'updateWorkflowStep'],
    ...['moveWorkflowSteps', 'deleteWorkflowStep', 'createWorkflowTransition', 'deleteWorkflowTransition'],
    ...['sendCampaign', 'cancelCampaign', 'pauseCampaign', 'resumeCampaign', 'sendCampaignTest', 'sendTemplateTest', 'cancelEmail'],
    ...['startWorkflowExecution', 'cancelWorkflowExecution', 'cancelWorkflowExecutions'],
  ]

  test('are told apart from those for members and for people: a new one must be put in its place', () => {
    const mutations = Object.entries(schema.getMutationType()?.getFields() ?? {})
    const ofProjects = mutations.filter(([, field]) => !['none', 'user'].includes(accessOf(field)?.who ?? '')).map(([name]) => name)
    const known = [...forMembers, ...Object.keys(forAdmins), ...Object.keys(forOwners), ...Object.keys(forOwnersById)]
    expect(ofProjects.sort()).toEqual(known.sort())
  })

  test.each(Object.values(forOwnersById))('%s: not for keys, not for members, and only for those of that project', async (mutation) => {
    const { projectId, secret } = await freshProject(world)
    const here = mutation.replace(project, projectId)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    expect(codesOf(await asker(url, secret)(`mutation { ${here} }`))).toEqual(['FORBIDDEN'])
    expect(codesOf(await ask(`mutation { ${here} }`, {}, { cookie }))).toEqual(['FORBIDDEN'])
    const stranger = await freshUser(world, { member: { projectId: (await freshProject(world)).projectId, role: 'OWNER' } })
    expect(codesOf(await ask(`mutation { ${here} }`, {}, { cookie: stranger.cookie }))).toEqual(['RESOURCE_NOT_FOUND'])
    const admin = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
    expect(codesOf(await ask(`mutation { ${here} }`, {}, { cookie: admin.cookie }))).toEqual([])
  })

  test.each([...Object.values(forAdmins), ...Object.values(forOwners)])('a member may not %s', async (mutation) => {
    const { projectId } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    expect(codesOf(await ask(`mutation { ${mutation} }`, {}, { cookie }))).toEqual(['FORBIDDEN'])
  })

  test.each(Object.values(forOwners))('a key may not %s', async (mutation) => {
    const { secret } = await freshProject(world)
    expect(codesOf(await asker(url, secret)(`mutation { ${mutation} }`))).toEqual(['FORBIDDEN'])
  })

  test.each([...Object.values(forAdmins), ...Object.values(forOwners)])('an admin may %s', async (mutation) => {
    const { projectId } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
    const [code] = codesOf(await ask(`mutation { ${mutation} }`, {}, { cookie }))
    expect([undefined, 'RESOURCE_NOT_FOUND', 'BILLING_DISABLED']).toContain(code)
  })
})

describe('a websocket with the session cookie', () => {
  function open(cookie: string, origin: string | undefined, projectId?: string) {
    class Browser extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { headers: { cookie, ...(origin !== undefined && { origin }) } })
      }
    }
    const closed = Promise.withResolvers<number>()
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: Browser,
      lazy: false,
      retryAttempts: 0,
      onNonLazyError: () => undefined,
      connectionParams: projectId === undefined ? {} : { projectId },
      on: { closed: (event) => closed.resolve((event as { code: number }).code) },
    })
    closings.push(() => client.dispose())
    const ask = (query: string) =>
      new Promise((resolve, reject) => {
        client.subscribe({ query }, { next: ({ data }) => resolve(data), error: reject, complete: () => undefined })
      })
    return { closed: closed.promise, ask }
  }

  test('is taken from our own pages', async () => {
    const { projectId } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    expect(await open(cookie, new URL(url).origin).ask('{ project { id } }')).toEqual({ project: { id: projectId } })
  })

  test('is closed with 4403 from foreign pages, and with 4401 where nothing says where it comes from', async () => {
    const { projectId } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    expect(await open(cookie, 'https://evil.example').closed).toBe(4403)
    expect(await open(cookie, 'null').closed).toBe(4403)
    expect(await open(cookie, undefined).closed).toBe(4401)
    const stranger = await freshProject(world)
    expect(await open(cookie, new URL(url).origin, stranger.projectId).closed).toBe(4403)
  })

  test('is closed once the session ends, and once the membership ends, by whichever process', async () => {
    const { projectId } = await freshProject(world)
    const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const [leaving, leaver] = [
      await freshUser(world, { member: { projectId, role: 'MEMBER' } }),
      await freshUser(world, { member: { projectId, role: 'MEMBER' } }),
    ]
    const sockets = [leaving, leaver].map(({ cookie }) => open(cookie, new URL(url).origin))
    for (const socket of sockets) await socket.ask('{ project { id } }')
    await secondServer.call('GET /auth/logout', undefined, leaving)
    expect(await sockets[0]?.closed).toBe(4401)
    await secondServer.call(`DELETE /projects/${projectId}/members/${leaver.userId}`, undefined, owner)
    expect(await sockets[1]?.closed).toBe(4401)
  })
})
