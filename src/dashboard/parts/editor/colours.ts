import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

// All of them have a contrast of at least 4.5 : 1 on the surface and on the line with the cursor, in both schemes.
const blue = 'light-dark(#174ea6, #9db8ff)'
const brown = 'light-dark(#7a4b00, #f0bf62)'
const green = 'light-dark(#11693a, #6bd99a)'
const grey = 'light-dark(#545d6b, #a3adbb)'
const purple = 'light-dark(#7c2a8c, #e6a5f5)'
const red = 'light-dark(#a61b18, #ff9d95)'

/** The colours of HTML and Liquid, in light and dark. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: blue },
  { tag: [tags.attributeName, tags.propertyName, tags.className, tags.labelName], color: brown },
  { tag: [tags.string, tags.attributeValue, tags.url], color: green },
  { tag: [tags.comment, tags.documentMeta, tags.meta], color: grey },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.brace, tags.processingInstruction], color: purple },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color, tags.atom], color: red },
  { tag: [tags.variableName, tags.definition(tags.variableName), tags.function(tags.variableName)], color: purple },
  { tag: tags.invalid, color: red, textDecoration: 'underline wavy' },
])

/** The editor in the colours of the dashboard. */
export const appearance = EditorView.theme({
  '&': {
    height: 'min(64vh, 680px)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--page)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#eef1f580, #23293480)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'light-dark(#c9d8ff, #2f4680)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'light-dark(#fdf2dc, #453612)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'light-dark(#d9ecdf, #1f4a30)' },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-back)' },
  '.cm-foldPlaceholder': { color: 'var(--muted)', backgroundColor: 'var(--hover)', border: '0' },
  '.cm-tooltip, .cm-panels': { color: 'var(--text)', backgroundColor: 'var(--raised)', borderColor: 'var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', background: 'var(--chosen)' },
  '.cm-completionDetail': { color: 'var(--muted)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-textfield, .cm-button': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
})
