import type { Completion } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import { liquid } from '@codemirror/lang-liquid'
import { syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, type Extension } from '@codemirror/state'
import { basicSetup, EditorView } from 'codemirror'
import { appearance, highlighting } from './colours.ts'
import type { Position } from './position.ts'

/** A variable of templates: a path such as `plan` or `profile.tier`, and what it is. */
export interface Variable {
  path: string
  detail: string
}

/** An editor of HTML with Liquid. */
export interface Code {
  /** Replaces the text, as when another version was loaded. */
  write(text: string): void
  /** Puts a text where the cursor is. */
  insert(text: string): void
  /** Completes these names. */
  complete(variables: readonly Variable[]): void
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
      basicSetup,
      language.of(languageWith([])),
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
    complete: (variables) => view.dispatch({ effects: language.reconfigure(languageWith(variables)) }),
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

function languageWith(variables: readonly Variable[]): Extension {
  return liquid({
    base: html({ autoCloseTags: true }),
    variables: below(variables, []),
    properties: (path) => below(variables, path),
  })
}

// The next names of the paths that begin with `path`.
function below(variables: readonly Variable[], path: readonly string[]): Completion[] {
  const found = new Map<string, Completion>()
  for (const { path: name, detail } of variables) {
    const parts = name.split('.')
    const label = parts[path.length]
    if (label === undefined || !path.every((part, at) => part === parts[at])) continue
    const isWhole = parts.length === path.length + 1
    if (isWhole || !found.has(label)) found.set(label, { label, detail: isWhole ? detail : 'object', type: 'variable' })
  }
  return [...found.values()]
}
