import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { type Problem, problemWith } from '../../data/failures.ts'
import { contentOf } from '../../data/files.ts'
import { UploadPictureDocument } from '../../graphql/graphql.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { useVariables } from '../editor/variables.ts'
import { SelectField, TextField } from '../field.tsx'
import { FileField } from '../file.tsx'
import { Form } from '../form.tsx'
import { addressHint, isAddress, notAnAddress } from './address.ts'
import type { InsertedNode, Visual } from './visual.ts'

/** What is inserted or changed, with what it has so far. */
export interface Inserting {
  what: InsertedNode['type'] | 'link'
  attrs: Record<string, string>
  isChange?: boolean
}

interface Props {
  visual: Visual
  inserting: Inserting
  onClose(): void
}

const titles = { link: 'Link', variable: 'Variable', button: 'Button', image: 'Picture' } as const

/** Asks for what a link, a variable, a button or a picture needs. */
export function InsertDialog({ visual, inserting, onClose }: Props) {
  const { what, attrs, isChange } = inserting
  const put = (type: InsertedNode['type'], given: Record<string, string>) => {
    onClose()
    if (isChange) visual.replace({ type, attrs: given })
    else visual.insert({ type, attrs: given })
  }
  const link = (href: string) => {
    onClose()
    visual.link(href)
  }
  return (
    <Dialog title={titles[what]} open onClose={onClose}>
      {what === 'link' && <LinkForm href={attrs.href ?? ''} onDone={link} />}
      {what === 'variable' && <VariableForm attrs={attrs} onDone={(given) => put('variable', given)} />}
      {what === 'button' && <ButtonForm attrs={attrs} onDone={(given) => put('button', given)} />}
      {what === 'image' && <PictureForm attrs={attrs} onDone={(given) => put('image', given)} />}
    </Dialog>
  )
}

function LinkForm({ href, onDone }: { href: string; onDone(href: string): void }) {
  const [wrong, setWrong] = useState(false)
  const submit = ({ href: given = '' }: Record<string, string>) => (isAddress(given) ? onDone(given) : setWrong(true))
  return (
    <Form onSubmit={submit} problem={undefined} label="Link">
      <TextField
        label="Leads to"
        name="href"
        type="text"
        inputMode="url"
        defaultValue={href}
        hint={addressHint}
        problem={wrong ? notAnAddress : undefined}
      />
      <div className="actions end">
        {href !== '' && <Button onClick={() => onDone('')}>Remove the link</Button>}
        <Button kind="primary" type="submit">
          Link it
        </Button>
      </div>
    </Form>
  )
}

interface NodeProps {
  attrs: Record<string, string>
  onDone(attrs: Record<string, string>): void
}

// Others cannot be written between braces.
const isName = (path: string): boolean => /^[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u.test(path)

function VariableForm({ attrs, onDone }: NodeProps) {
  const variables = useVariables().filter(({ path }) => isName(path))
  const options = variables.map(({ path, detail }) => ({ value: path, label: `${path} (${detail})` }))
  const current = attrs.path && !variables.some(({ path }) => path === attrs.path) ? [{ value: attrs.path, label: attrs.path }] : []
  const submit = ({ path = '', fallback = '' }: Record<string, string>) => onDone({ path, ...(fallback && { fallback }) })
  return (
    <Form onSubmit={submit} problem={undefined} label="Variable">
      <SelectField key={options.length} label="What it prints" name="path" options={[...current, ...options]} defaultValue={attrs.path} />
      <TextField label="Where there is no value" name="fallback" defaultValue={attrs.fallback} maxLength={500} hint="Such as: there" />
      <div className="actions end">
        <Button kind="primary" type="submit">
          Put it there
        </Button>
      </div>
    </Form>
  )
}

function ButtonForm({ attrs, onDone }: NodeProps) {
  const [wrong, setWrong] = useState<'label' | 'href'>()
  const submit = ({ label = '', href = '' }: Record<string, string>) => {
    if (label.trim() === '') return setWrong('label')
    if (!isAddress(href)) return setWrong('href')
    onDone({ label, href })
  }
  return (
    <Form onSubmit={submit} problem={undefined} label="Button">
      <TextField
        label="Words on it"
        name="label"
        defaultValue={attrs.label}
        maxLength={200}
        problem={wrong === 'label' ? 'Give it a word.' : undefined}
      />
      <TextField
        label="Leads to"
        name="href"
        inputMode="url"
        defaultValue={attrs.href}
        hint={addressHint}
        problem={wrong === 'href' ? notAnAddress : undefined}
      />
      <div className="actions end">
        <Button kind="primary" type="submit">
          Put it there
        </Button>
      </div>
    </Form>
  )
}

function PictureForm({ attrs, onDone }: NodeProps) {
  const [file, setFile] = useState<File>()
  const [missing, setMissing] = useState(false)
  const { run, busy, problem } = useAction(UploadPictureDocument)
  const submit = async ({ alt = '' }: Record<string, string>) => {
    if (!file && !attrs.src) return setMissing(true)
    const data = file && (await run({ input: { filename: file.name, content: await contentOf(file) } }))
    const src = data?.uploadImage.upload.url ?? (file ? undefined : attrs.src)
    if (src) onDone({ src, ...(alt && { alt }) })
  }
  return (
    <Form onSubmit={submit} problem={problem} fields={['content']} label="Picture">
      <FileField
        label="Picture"
        hint="PNG, JPEG, GIF or WebP, at most 10 MB. Everyone who has its address can load it."
        accept="image/png,image/jpeg,image/gif,image/webp"
        file={file}
        problem={pictureProblem(problem, missing && !file)}
        onChoose={setFile}
      />
      <TextField
        label="What it shows"
        name="alt"
        defaultValue={attrs.alt}
        maxLength={500}
        hint="Read out, and shown where pictures are not"
      />
      <div className="actions end">
        <Button kind="primary" type="submit" busy={busy}>
          Put it there
        </Button>
      </div>
    </Form>
  )
}

const pictureProblem = (problem: Problem | undefined, missing: boolean): string | undefined =>
  missing ? 'Choose a file.' : problemWith(problem, 'content')
