import ts from 'typescript'
import { expect, test } from 'vitest'
import { sources } from '../help/sources.ts'
import { all, found, ofDashboard } from '../help/syntax.ts'

// What pages leave in a browser that others may use as well, and what they ask of other servers.

/** Files that store something in the browser: what. */
const storing: Record<string, string> = {
  'src/dashboard/data/theme.ts': 'light, dark, or as the system is',
  'src/dashboard/parts/lazy.tsx': 'when the page was last loaded again by itself',
  'src/dashboard/shell/keys.tsx': 'whether single keys are shortcuts',
}

/** Files that send something by other means than a fetch of a path: to where. */
const sending: Record<string, string> = {
  'src/dashboard/data/files.ts': 'fetches the path that it is given',
}

const storage = /^(localStorage|sessionStorage|indexedDB|cookieStore|caches|BroadcastChannel|SharedWorker|serviceWorker)$/
const senders = /^(fetch|sendBeacon|WebSocket|EventSource|XMLHttpRequest|WebTransport|RTCPeerConnection|Worker|Image|importScripts)$/
const loading = /^(src|srcSet|srcDoc|poster|action|formAction|dangerouslySetInnerHTML)$/

const isUsed = (node: ts.Node) => !ts.isImportSpecifier(node.parent) && !ts.isTypeNode(node.parent)
const isNamed = (name: RegExp) => (node: ts.Node) => ts.isIdentifier(node) && name.test(node.text) && isUsed(node)
const isCookie = (node: ts.Node) => ts.isPropertyAccessExpression(node) && /\bdocument\.cookie$/.test(node.getText())
const filesOf = (lines: string[]) => [...new Set(lines.map((line) => line.split(': ')[0] ?? ''))].sort()

/** Whether an address is a path of this server, as far as its beginning tells. */
function isOwn(address: ts.Node | undefined): boolean {
  const text = address?.getText().replace(/^\{/, '').trim() ?? ''
  return /^(['"`])\/(?!\/)/.test(text) || /^(['"])\1/.test(text)
}

test('only what is listed above stays in the browser: nothing of a project, and nothing that signs in', () => {
  expect(ofDashboard.length).toBeGreaterThan(200)
  const stored = found(ofDashboard, (node) => isNamed(storage)(node) || isCookie(node))
  expect(filesOf(stored)).toEqual(Object.keys(storing).sort())
})

test('pages send to this server alone: a fetch names a path that begins with /, and nothing else opens connections', () => {
  const sent = ofDashboard.flatMap(({ path, node }) =>
    all(node, isNamed(senders)).flatMap((name) => {
      const { parent } = name
      const isPath = ts.isCallExpression(parent) && parent.expression === name && isOwn(parent.arguments[0])
      return isPath ? [] : [`${path}: ${parent.getText().split('\n')[0]}`]
    }),
  )
  const isClient = (node: ts.Node) => /^(Client|createClient)$/.test((node as ts.CallExpression).expression?.getText() ?? '')
  const addressed = ofDashboard.flatMap(({ path, node }) =>
    all(node, isClient).flatMap((client) =>
      all(client, (part) => ts.isPropertyAssignment(part) && /^(url|uri|endpoint)$/.test(part.name.getText())).map((part) => ({
        at: `${path}: ${part.getText()}`,
        address: (part as ts.PropertyAssignment).initializer,
      })),
    ),
  )
  expect(addressed.length).toBe(2)
  const isHere = (address: ts.Node) => isOwn(address) || address.getText().startsWith('`${location.origin')
  expect(addressed.filter(({ address }) => !isHere(address)).map(({ at }) => at)).toEqual([])
  expect(sent.filter((one) => !((one.split(': ')[0] ?? '') in sending))).toEqual([])
  expect(Object.keys(sending).filter((path) => !filesOf(sent).includes(path))).toEqual([])
})

test('what a page loads by itself is of this server: pictures, frames, scripts, styles and forms', () => {
  const loaded = ofDashboard.flatMap(({ path, node }) =>
    all(node, (part) => ts.isJsxAttribute(part) && loading.test(part.name.getText())).flatMap((part) =>
      ts.isJsxAttribute(part) && !isOwn(part.initializer) ? [`${path}: ${part.getText().split('\n')[0]}`] : [],
    ),
  )
  const set = found(
    ofDashboard,
    (node) => ts.isBinaryExpression(node) && /\.(src|srcset|srcdoc|innerHTML|outerHTML)$/.test(node.left.getText()),
  )
  expect([...loaded, ...set]).toEqual([])
  const elsewhere = sources('src/dashboard', /\.(css|html)$/).flatMap(({ path, text }) =>
    [...text.matchAll(/(?:url\(|@import|\b(?:src|href|action)=)\s*["']?((?:https?:)?\/\/[^"')\s]*)/g)].map(
      ([, address]) => `${path}: ${address}`,
    ),
  )
  expect(elsewhere).toEqual([])
})
