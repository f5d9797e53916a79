import type { Ctx } from '../../kit/context.ts'
import { createSegment } from '../../modules/segments/segments.ts'
import { createTemplate } from '../../modules/templates/templates.ts'
import type { Block, Inline, VisualDocument } from '../../modules/templates/visual/shapes.ts'
import { createWorkflow, updateWorkflow } from '../../modules/workflows/changes.ts'
import { createWorkflowStep } from '../../modules/workflows/graph/steps.ts'
import { createWorkflowTransition } from '../../modules/workflows/graph/transitions.ts'

/** The links that emails of the demo data have. */
export const demoLinks = ['https://example.com/new', 'https://example.com/pricing']

/** The event that starts the workflow of the demo data. */
export const signUpEvent = 'account created'

const footer = '<p>Yours,<br>the demo team</p>'

/** Creates the templates of the demo data besides the first; returns their ids. */
export async function createTemplates(ctx: Ctx, from: string): Promise<{ welcome: string; receipt: string; news: string }> {
  const sender = { from, fromName: 'Demo' }
  const welcome = await createTemplate(ctx, {
    ...sender,
    name: 'First steps',
    description: 'The first email of the workflow “Onboarding”',
    subject: 'Your first steps, {{ name ?? "friend" }}',
    body: `<h1>Hello {{ name ?? "friend" }}</h1><p>Create your first project: <a href="https://example.com/new">it takes a minute</a>.</p>${footer}`,
    type: 'TRANSACTIONAL',
  })
  const receipt = await createTemplate(ctx, {
    ...sender,
    name: 'Receipt',
    description: 'Sent with every order',
    subject: 'Your receipt for {{ amount }} EUR',
    body: `<p>Thank you, {{ name ?? "friend" }}. Your plan is {{ plan }}.</p><p><a href="https://example.com/pricing">See your plan</a></p>${footer}`,
    type: 'TRANSACTIONAL',
  })
  const news = await createTemplate(ctx, { ...sender, ...newsContent, document: newsDocument, name: 'Product news' })
  return { welcome: welcome.id, receipt: receipt.id, news: news.id }
}

/** The heads of what the campaigns of the demo data say. */
export const newsContent = {
  subject: 'What is new, {{ name ?? "friend" }}',
  previewText: 'Segments that explain themselves',
}

/** What one of them says instead, written in HTML. */
export const yearlyBody = `<h1>A year with us</h1><p>Thank you, {{ name ?? "friend" }}. <a href="${demoLinks[0]}">See what is new</a>.</p>${footer}`

const words = (text: string): Inline => ({ type: 'text', text })
const paragraph = (...content: Inline[]): Block => ({ type: 'paragraph', content })
const [newLink = '', pricesLink = ''] = demoLinks

/** What they say, as it is written in the visual editor. */
const newsDocument: VisualDocument = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [words('What is new')] },
    paragraph({ type: 'variable', attrs: { path: 'company', fallback: 'Your team' } }, words(' can now see why somebody is in a segment.')),
    { type: 'button', attrs: { href: newLink, label: 'Try it' } },
    paragraph(
      words('And the '),
      { type: 'text', text: 'prices', marks: [{ type: 'link', attrs: { href: pricesLink } }] },
      words(' are simpler.'),
    ),
    paragraph(words('Yours,'), { type: 'hardBreak' }, words('the demo team')),
  ],
}

/** Creates the segments of the demo data: a dynamic one whose members are tracked, and a static one without members. */
export async function createSegments(ctx: Ctx): Promise<{ paying: string; testers: string }> {
  const paying = await createSegment(ctx, {
    name: 'Paying customers',
    description: 'On a paid plan, or ordered within the last month',
    trackMembership: true,
    condition: {
      logic: 'OR',
      groups: [
        {
          filters: [
            { field: 'data.plan', operator: 'equals', value: ['pro', 'team'] },
            { field: 'data.trial', operator: 'equals', value: false },
          ],
        },
        { filters: [{ field: 'event.order placed', operator: 'triggeredWithin', value: 30, unit: 'days' }] },
      ],
    },
  })
  const testers = await createSegment(ctx, { name: 'Beta testers', description: 'Asked for new features first', type: 'STATIC' })
  return { paying: paying.id, testers: testers.id }
}

/** Creates and enables the workflow of the demo data; returns its id. */
export async function createOnboarding(ctx: Ctx, templateId: string): Promise<string> {
  const { id } = await createWorkflow(ctx, {
    name: 'Onboarding',
    description: 'The first days after an account is created',
    eventName: signUpEvent,
  })
  const at = (x: number, y: number) => ({ position: { x, y } })
  const condition = { field: 'event.project created', operator: 'triggered' }
  const steps = [
    await createWorkflowStep(ctx, { id, type: 'SEND_EMAIL', name: 'First steps', templateId, ...at(0, 0) }),
    await createWorkflowStep(ctx, { id, type: 'DELAY', name: 'Five days', config: { amount: 5, unit: 'days' }, ...at(0, 150) }),
    await createWorkflowStep(ctx, { id, type: 'CONDITION', name: 'A project?', config: { condition }, ...at(0, 300) }),
    await createWorkflowStep(ctx, { id, type: 'UPDATE_CONTACT', name: 'Active', config: { updates: { active: true } }, ...at(-160, 450) }),
    await createWorkflowStep(ctx, { id, type: 'EXIT', name: 'Not yet', ...at(160, 450) }),
  ]
  const [send = '', delay = '', ask = '', active = '', exit = ''] = steps.map((step) => step.id)
  const lead = (fromStepId: string, toStepId: string, branch?: string) =>
    createWorkflowTransition(ctx, { id, fromStepId, toStepId, ...(branch !== undefined && { branch }) })
  await lead(send, delay)
  await lead(delay, ask)
  await lead(ask, active, 'yes')
  await lead(ask, exit, 'no')
  await updateWorkflow(ctx, { id, enabled: true })
  return id
}
