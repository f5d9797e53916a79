import { useId, useRef } from 'react'
import { bytes } from '../data/format.ts'
import { Button } from './button.tsx'

interface Props {
  label: string
  hint: string
  /** Which files, such as `.csv,text/csv`. */
  accept: string
  file: File | undefined
  problem?: string | undefined
  onChoose(file: File): void
}

/** A file, chosen or dropped on it. */
export function FileField({ label, hint, accept, file, problem, onChoose }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => files?.[0] && onChoose(files[0])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way, the button is the first
    <div
      className="file-field"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
    >
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`}>
        {file ? `${file.name}, ${bytes(file.size)}` : hint}
      </p>
      <input
        ref={input}
        id={id}
        type="file"
        className="sr-only"
        tabIndex={-1}
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          take(event.target.files)
          // The same file can be chosen again once it has been corrected.
          event.target.value = ''
        }}
      />
      <Button icon="file" onClick={() => input.current?.click()} aria-describedby={`${id}-hint`}>
        {file ? 'Choose another file' : 'Choose a file'}
      </Button>
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
