import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import { appearance, highlighting } from './colours.ts'
import type { Variable } from './language.ts'
import type { Position } from './position.ts'

// Over what is selected the browser would insert a span with the style of what was there, which the content policy refuses.
const replacing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view
    const { from, to, empty } = state.selection.main
    if (event.inputType !== 'insertText' || !event.data || empty || view.composing) return false
    const text = event.data
    const insert = () => state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const isHandled = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))
    if (!isHandled) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})

const editing: Extension = [
  replacing,
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  history(),
  foldGutter(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  EditorState.allowMultipleSelections.of(true),
  EditorState.tabSize.of(2),
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
]

/** An editor of HTML with Liquid. */
export interface Code {
  /** Replaces the text, as when another version was loaded. */
  write(text: string): void
  /** Puts a text where the cursor is. */
  insert(text: string): void
  /** Completes these names. */
  complete(variables: readonly Variable[]): Promise<void>
  /** Marks a place, or none. */
  mark(problem: { message: string; at: Position } | undefined): void
  /** Puts the cursor at a place. */
  goTo(at: Position): void
  close(): void
}

interface Options {
  label: string
  text: string
  onChange(text: string): void
}

/**
 * Opens an editor in an element: in a shadow root, whose styles need no exception in the content policy. Tab leaves it, as it leaves
 * every field.
 */
export function openCode(parent: HTMLElement, { label, text, onChange }: Options): Code {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const language = new Compartment()
  const view = new EditorView({
    root,
    parent: root as unknown as HTMLElement,
    doc: text,
    extensions: [
      editing,
      language.of([]),
      syntaxHighlighting(highlighting),
      appearance,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
    ],
  })
  const offsetOf = ({ line, column }: Position) => {
    const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
    return { from: Math.min(from + column - 1, to), to }
  }
  return {
    write(next) {
      if (view.state.doc.toString() !== next) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    insert(piece) {
      view.dispatch(view.state.replaceSelection(piece))
      view.focus()
    },
    // The grammars are a script of their own, as large as the editor: it can be typed in before they have come.
    async complete(variables) {
      const { languageWith } = await import('./language.ts')
      view.dispatch({ effects: language.reconfigure(languageWith(variables)) })
    },
    mark(problem) {
      const marks = problem ? [{ ...offsetOf(problem.at), severity: 'error' as const, message: problem.message }] : []
      view.dispatch(setDiagnostics(view.state, marks))
    },
    goTo(at) {
      view.dispatch({ selection: { anchor: offsetOf(at).from }, scrollIntoView: true })
      view.focus()
    },
    close: () => view.destroy(),
  }
}
