// The frame that emails are shown in. It has an origin of its own and shows the HTML that the dashboard sends it; the content policy
// of frame.html lets no script run but this one. It is no module, which could not be loaded from here without CORS.
function show(html) {
  const email = new DOMParser().parseFromString(html, 'text/html')
  for (const link of email.querySelectorAll('a')) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' })
  for (const part of email.querySelectorAll('script, base, meta, link')) part.remove()
  document.documentElement.replaceChildren(email.head, email.body)
  parent.postMessage({ height: document.documentElement.scrollHeight }, '*')
}

addEventListener('message', ({ source, data }) => {
  if (source === parent && typeof data?.html === 'string') show(data.html)
})
parent.postMessage({ ready: true }, '*')
