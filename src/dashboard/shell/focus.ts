import { useEffect } from 'react'

/** Where something that had the focus stood: its ancestors from the nearest on, each with the position of what leads to it. */
interface Spot {
  element: HTMLElement
  ancestors: { node: Element; at: number }[]
}

/**
 * Keeps the focus on the page: when what has it goes, such as a row that is deleted, or a dialog whose opener has gone, the focus goes
 * to what stands nearest to where it was, or else to the title of the page. A focus that somebody has set is never moved.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const keeper = createKeeper()
    const watch = new MutationObserver(keeper.look)
    watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'hidden', 'inert'] })
    document.addEventListener('focusin', keeper.note)
    document.addEventListener('pointerdown', keeper.point)
    return () => {
      watch.disconnect()
      keeper.stop()
      document.removeEventListener('focusin', keeper.note)
      document.removeEventListener('pointerdown', keeper.point)
    }
  }, [])
}

const dialogs = '[role=dialog]'
// Dialogs give the focus back themselves, once they have faded.
const patienceMs = 80

function createKeeper() {
  let last: Spot | undefined
  // What had the focus before a dialog was opened.
  let outside: Spot | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || isGuard(target)) return
    last = spotOf(target)
    if (!target.closest(dialogs)) outside = last
  }
  // A press beside everything takes the focus from what had it, which is meant.
  const point = ({ target }: PointerEvent) => {
    if (target instanceof Element && !target.closest(focusable) && !target.closest(dialogs)) last = undefined
  }
  const restore = () => {
    timer = undefined
    if (!last || !isLost(last)) return
    const open = [...document.querySelectorAll<HTMLElement>(dialogs)].at(-1)
    const within = open ?? document.querySelector<HTMLElement>('main') ?? document.body
    const spot = [last, outside].find((one) => one?.ancestors.some(({ node }) => within.contains(node)))
    const found = (spot && nearest(spot, within)) ?? within.querySelector<HTMLElement>('h1') ?? open
    found?.focus({ preventScroll: !isFarAway(found) })
  }
  const look = () => {
    if (timer === undefined && last && isLost(last)) timer = setTimeout(restore, patienceMs)
  }
  return { note, point, look, stop: () => clearTimeout(timer) }
}

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [contenteditable=true], [tabindex="0"]'

function isGuard(element: HTMLElement): boolean {
  return element.hasAttribute('data-base-ui-focus-guard')
}

// Nothing has the focus, and what had it cannot have it any more. In a window that is not used nothing is lost.
function isLost({ element }: Spot): boolean {
  const { activeElement } = document
  if (!document.hasFocus() || (activeElement !== null && activeElement !== document.body)) return false
  return !element.isConnected || element.matches(':disabled') || !isShown(element)
}

function isShown(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true]')
}

function spotOf(element: HTMLElement): Spot {
  const ancestors: Spot['ancestors'] = []
  for (let at: Element = element; at.parentElement && at.parentElement !== document.body; at = at.parentElement)
    ancestors.push({ node: at.parentElement, at: [...at.parentElement.children].indexOf(at) })
  return { element, ancestors }
}

// Of the smallest part of the page that is still there and has anything: what now stands at the place, or after it, or before it.
function nearest({ ancestors }: Spot, within: HTMLElement): HTMLElement | undefined {
  for (const { node, at } of ancestors) {
    // A neighbour that is as far as the whole page is none.
    if (!within.contains(node) || node === within || node.classList.contains('page')) continue
    const children = [...node.children]
    const after = children.slice(at).flatMap(targetsIn)
    const before = children.slice(0, at).flatMap(targetsIn)
    const found = after[0] ?? before.at(-1)
    if (found) return found
  }
}

function targetsIn(element: Element): HTMLElement[] {
  const inside = [...element.querySelectorAll<HTMLElement>(focusable)]
  const all = element instanceof HTMLElement && element.matches(focusable) ? [element, ...inside] : inside
  return all.filter((one) => isShown(one) && !isGuard(one))
}

function isFarAway(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom < 0 || top > innerHeight
}
