import type { Template } from '../../templates/shapes.ts'
import type { ContentDraft } from './accept.ts'

/** The content of an email that sends a template as it is, with data that overrides that of the contact. */
export function contentOfTemplate(template: Template, data: Record<string, unknown>): ContentDraft {
  const { id, type, subject, previewText, body, from, fromName, replyTo } = template
  return {
    type,
    templateId: id,
    subject,
    previewText,
    html: body,
    text: null,
    from: { email: from, name: fromName },
    replyTo,
    cc: [],
    bcc: [],
    headers: {},
    data,
    dataBytes: JSON.stringify(data).length,
    tags: [],
    tracking: null,
    attachments: [],
  }
}
