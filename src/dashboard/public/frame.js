// The frame that emails are shown in. It has an origin of its own and shows the HTML that the dashboard sends it; the content policy
// of frame.html lets no script run but this one, and no picture load unless the address asks for it. It is no module, which could not
// be loaded from here without CORS.
function show(html, images) {
  const email = new DOMParser().parseFromString(html, 'text/html')
  for (const part of email.querySelectorAll('script, base, meta, link, iframe, object, embed')) part.remove()
  for (const link of email.querySelectorAll('a')) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' })
  for (const picture of email.querySelectorAll('img, source')) {
    // The pixel would count an open.
    if (/\/t\/o\//.test(picture.src)) picture.remove()
    else if (!images && !/^data:/.test(picture.getAttribute('src') ?? '')) {
      picture.removeAttribute('src')
      picture.removeAttribute('srcset')
    }
  }
  document.documentElement.replaceChildren(email.head, email.body)
  const report = () => parent.postMessage({ height: document.documentElement.offsetHeight }, '*')
  new ResizeObserver(report).observe(document.body)
  report()
}

addEventListener('message', ({ source, data }) => {
  if (source === parent && typeof data?.html === 'string') show(data.html, data.images === true)
})
parent.postMessage({ ready: true }, '*')
