import { autocompletion, type Completion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import { liquid } from '@codemirror/lang-liquid'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'

/** A variable of templates: a path such as `plan` or `profile.tier`, and what it is. */
export interface Variable {
  path: string
  detail: string
}

/** HTML with Liquid, with search, which completes tags, attributes, filters and these variables. */
export function languageWith(variables: readonly Variable[]): Extension {
  const language = liquid({
    base: html({ autoCloseTags: true }),
    variables: below(variables, []),
    properties: (path) => below(variables, path),
  })
  const keys = keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap])
  return [language, keys, autocompletion(), closeBrackets(), highlightSelectionMatches()]
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
