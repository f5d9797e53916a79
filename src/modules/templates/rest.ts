import { type RouteNotes, route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { Template, TemplateChange, TemplateDraft, TemplatePage, TemplateSearch, TemplateUsage, templateBytes } from './shapes.ts'
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateUsage,
  listTemplates,
  updateTemplate,
} from './templates.ts'

const missing: RouteNotes<unknown>['errors'] = ['TEMPLATE_NOT_FOUND']

/** Templates. */
export const routes = [
  route('GET', '/templates', 'secret', TemplateSearch, TemplatePage, listTemplates, { summary: 'List templates, newest first' }),
  route('POST', '/templates', 'secret', TemplateDraft, Template, createTemplate, {
    summary: 'Create a template',
    description: 'Liquid is checked: a mistake is answered with its line and column.',
    status: 201,
    errors: ['DOMAIN_NOT_VERIFIED'],
    bodyLimit: templateBytes,
  }),
  route('GET', '/templates/:id', 'secret', ById, Template, getTemplate, { summary: 'Get a template', errors: missing }),
  route('PATCH', '/templates/:id', 'secret', TemplateChange, Template, updateTemplate, {
    summary: 'Change a template',
    description: 'Only what is sent changes; null empties `fromName`, `replyTo` and `description`.',
    errors: ['TEMPLATE_NOT_FOUND', 'DOMAIN_NOT_VERIFIED'],
    bodyLimit: templateBytes,
  }),
  route('DELETE', '/templates/:id', 'secret', ById, Empty, deleteTemplate, {
    summary: 'Delete a template',
    description: 'Mails made from it stay.',
    status: 204,
    errors: missing,
  }),
  route('POST', '/templates/:id/duplicate', 'secret', ById, Template, duplicateTemplate, {
    summary: 'Copy a template',
    status: 201,
    errors: missing,
  }),
  route('GET', '/templates/:id/usage', 'secret', ById, TemplateUsage, getTemplateUsage, {
    summary: 'See what uses a template',
    errors: missing,
  }),
]
