import type { NotificationText } from './texts.ts'

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

/** The HTML of a notification, as a Liquid template: values are escaped when it is rendered. Styles are inline, as mail programs require. */
export function emailHtml({ subject, lines, action, note }: NotificationText): string {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${line}</p>`).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f3f4f6;color:#1f2937;${font};font-size:16px;line-height:1.5">
<div style="max-width:32rem;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px">${subject}</h1>
${paragraphs}
<p style="margin:24px 0"><a href="{{ url }}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none">${action}</a></p>
<p style="margin:0 0 16px;color:#6b7280;font-size:14px">Or open this link:<br><a href="{{ url }}" style="color:#1d4ed8;overflow-wrap:anywhere">{{ url }}</a></p>
<p style="margin:0;color:#6b7280;font-size:14px">${note}</p>
</div>
</body></html>`
}

/** The plain text of a notification, as a Liquid template. */
export function emailText({ subject, lines, action, note }: NotificationText): string {
  return [subject, ...lines, `${action}: {{ url }}`, note].join('\n\n')
}
