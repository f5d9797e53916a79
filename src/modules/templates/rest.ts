import { type RouteNotes, route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { maxTemplateBytes, Template, TemplateChange, TemplateDraft, TemplatePage, TemplateSearch, TemplateUsage } from './shapes.ts'
import { createTemplate, deleteTemplate, duplicateTemplate, getTemplate, listTemplates, updateTemplate } from './templates.ts'
import { getTemplateUsage } from './usage.ts'

const notFoundErrors: RouteNotes<unknown>['errors'] = ['TEMPLATE_NOT_FOUND']

/** The endpoints of templates. */
export const routes = [
  route('GET', '/templates', 'secret', TemplateSearch, TemplatePage, listTemplates, {
    summary: 'List templates, newest first',
    description:
      'A page of large templates is answered with 413 when it has several and their bodies have more than 4 MB together: take a smaller `pageSize`.',
    errors: ['PAYLOAD_TOO_LARGE'],
  }),
  route('POST', '/templates', 'secret', TemplateDraft, Template, createTemplate, {
    summary: 'Create a template',
    description: 'The Liquid of subject, preview text and body is checked: an error has the line and column of the problem.',
    status: 201,
    errors: ['DOMAIN_NOT_VERIFIED'],
    bodyLimit: maxTemplateBytes,
  }),
  route('GET', '/templates/:id', 'secret', ById, Template, getTemplate, { summary: 'Get a template', errors: notFoundErrors }),
  route('PATCH', '/templates/:id', 'secret', TemplateChange, Template, updateTemplate, {
    summary: 'Update a template',
    description: 'Fields that are left out stay as they are; null clears `previewText`, `fromName`, `replyTo` and `description`.',
    errors: ['TEMPLATE_NOT_FOUND', 'DOMAIN_NOT_VERIFIED'],
    bodyLimit: maxTemplateBytes,
  }),
  route('DELETE', '/templates/:id', 'secret', ById, Empty, deleteTemplate, {
    summary: 'Delete a template',
    description: 'Emails sent with it stay, and campaigns keep what they have copied from it.',
    status: 204,
    errors: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_IN_USE'],
  }),
  route('POST', '/templates/:id/duplicate', 'secret', ById, Template, duplicateTemplate, {
    summary: 'Copy a template',
    description: 'The copy has the same name with ` (Copy)` added, for which a name of more than 93 characters is cut.',
    status: 201,
    errors: notFoundErrors,
  }),
  route('GET', '/templates/:id/usage', 'secret', ById, TemplateUsage, getTemplateUsage, {
    summary: 'Get the usage of a template',
    errors: notFoundErrors,
  }),
]
