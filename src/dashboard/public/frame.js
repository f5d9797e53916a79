// The frame that emails are shown in. It has an origin of its own and shows the HTML that the dashboard sends it; the content policy
// of frame.html lets no script run but this one, and no picture load unless the address asks for it. It is no module, which could not
// be loaded from here without CORS.
function show({ html, images, scheme }) {
  const email = new DOMParser().parseFromString(html, 'text/html')
  for (const part of email.querySelectorAll('script, base, meta, link, iframe, object, embed')) part.remove()
  for (const link of email.querySelectorAll('a')) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' })
  for (const picture of email.querySelectorAll('img, source')) {
    // The pixel would count an open.
    if (/\/t\/o\//.test(picture.src)) picture.remove()
    else if (images !== true && !/^data:/.test(picture.getAttribute('src') ?? '')) {
      picture.removeAttribute('src')
      picture.removeAttribute('srcset')
    }
  }
  document.documentElement.replaceChildren(email.head, email.body)
  if (scheme === 'light' || scheme === 'dark') colour(scheme)
  const report = () => parent.postMessage({ height: document.documentElement.offsetHeight }, '*')
  new ResizeObserver(report).observe(document.body)
  report()
}

// Shows the email as a light or a dark mail program does, whatever the system says: its media queries ask for what is always or never so.
function colour(scheme) {
  const asked = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi
  const decide = (media) => {
    if (media.mediaText)
      media.mediaText = media.mediaText.replace(asked, (_, one) => (one === scheme ? '(min-width: 0px)' : '(width < 0px)'))
  }
  const visit = (rules) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule) decide(rule.media)
      if (rule.cssRules) visit(rule.cssRules)
    }
  }
  for (const sheet of document.styleSheets) {
    decide(sheet.media)
    visit(sheet.cssRules)
  }
  const root = document.documentElement
  root.style.colorScheme = scheme === 'dark' && getComputedStyle(root).colorScheme.includes('dark') ? 'dark' : 'light'
}

addEventListener('message', ({ source, data }) => {
  if (source === parent && typeof data?.html === 'string') show(data)
})
parent.postMessage({ ready: true }, '*')
