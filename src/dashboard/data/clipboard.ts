/** Copies a text; whether that was possible. Where a page is not served over HTTPS, browsers have only the old way. */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copiedBySelection(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copiedBySelection(text),
  )
}

function copiedBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true, className: 'sr-only' })
  // Beside the button: a dialog keeps the focus inside itself.
  const place = focused?.parentElement ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
