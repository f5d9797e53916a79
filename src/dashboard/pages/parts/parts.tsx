import { useState } from 'react'
import type { Problem } from '../../data/failures.ts'
import { ago, bytes, day, number, percent, shortNumber } from '../../data/format.ts'
import { Address } from '../../parts/address.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { Copyable, Facts, Secret, Time } from '../../parts/facts.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../parts/field.tsx'
import { FileField } from '../../parts/file.tsx'
import { Form } from '../../parts/form.tsx'
import { Menu, MenuCheck, MenuItem, MenuLine, MenuText } from '../../parts/menu.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Progress } from '../../parts/progress.tsx'
import { SaveCsv } from '../../parts/save-csv.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Select } from '../../parts/select.tsx'
import { Badge, Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Tiles } from '../../parts/tiles.tsx'
import { toast } from '../../parts/toast.tsx'
import { NewField, Value } from '../../parts/values.tsx'

const problem: Problem = {
  code: 'VALIDATION_ERROR',
  message: 'The request is not valid.',
  suggestion: 'Correct the fields that are named, then try again.',
  fields: [{ field: 'email', message: 'This is not an email address.' }],
}
const rows = [
  { id: '1', name: 'Spring news', sent: 12_840, rate: '41.2 %' },
  { id: '2', name: 'A name that is so long that it has to be cut off somewhere on narrow screens', sent: 3, rate: '0 %' },
]

const totals = {
  sent: 12_840,
  delivered: 12_600,
  deliveryRate: 98.1,
  opened: 5_400,
  openRate: 42.1,
  clicked: 800,
  clickRate: 6.2,
  bounced: 180,
  bounceRate: 1.4,
  complained: 3,
  complaintRate: 0.02,
}

/** Every control in every state, for those who build pages, and for the tests. */
export function Parts() {
  return (
    <main id="main" className="main">
      <Page title="Parts" lead="Every control of the dashboard, in every state.">
        <Buttons />
        <Fields />
        <States />
        <Over />
        <Data />
      </Page>
    </main>
  )
}

function Buttons() {
  return (
    <Section title="Buttons">
      {(['primary', 'plain', 'quiet', 'danger'] as const).map((kind) => (
        <div className="actions" key={kind}>
          <Button kind={kind}>{kind}</Button>
          <Button kind={kind} icon="plus">
            with an icon
          </Button>
          <Button kind={kind} busy>
            busy
          </Button>
          <Button kind={kind} disabled>
            disabled
          </Button>
          <IconButton kind={kind} icon="refresh" label={`Only an icon, ${kind}`} />
        </div>
      ))}
    </Section>
  )
}

function Fields() {
  const [scheme, setScheme] = useState('light')
  return (
    <Section title="Fields">
      <Form onSubmit={() => toast('Submitted')} problem={problem} fields={[]} label="A form that was refused">
        <TextField label="Text" defaultValue="Ada" hint="What to enter" />
        <TextField label="Text with a problem" defaultValue="ada@" problem="This is not an email address." />
        <TextField label="Disabled text" defaultValue="Ada" disabled />
        <SelectField
          label="One of a few"
          options={[
            { value: 'a', label: 'Marketing' },
            { value: 'b', label: 'Transactional' },
          ]}
        />
        <Segmented
          label="One of two, both shown"
          value={scheme}
          onChange={setScheme}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <TextAreaField label="Several lines" defaultValue={'One\nTwo'} />
        <FileField label="A file" hint="At most 5 MB" accept=".csv" file={undefined} onChoose={({ name }) => toast(`${name} chosen`)} />
        <CheckField label="A box" defaultChecked hint="What it does" />
        <CheckField label="A disabled box" disabled />
        <Value name="plan" value={{ kind: 'text', text: 'pro' }} problem={undefined} onChange={() => toast('Changed')} />
        <Value name="removed" value={null} problem={undefined} onChange={() => toast('Changed')} />
        <NewField taken={['plan']} onAdd={(key) => toast(`${key} added`)} />
        <Button type="submit">Submit</Button>
      </Form>
    </Section>
  )
}

function States() {
  return (
    <Section title="States">
      <div className="actions">
        {(['neutral', 'info', 'good', 'warn', 'bad'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <Note>Something to know</Note>
      <Note kind="warn">Something to be careful about</Note>
      <Note kind="good">Something that went well</Note>
      <ProblemNote problem={problem} onRetry={() => toast('Tried again')} />
      <Progress label="A job that is done by a third" percent={33} />
      <Progress label="A job that has not begun" />
      <Select
        label="A filter without a label"
        value="all"
        options={[{ value: 'all', label: 'All segments' }]}
        onChange={() => toast('Chosen')}
      />
      <Loading label="A part that is loading" />
      <Empty icon="mail" title="No emails yet">
        What was sent is listed here.
      </Empty>
    </Section>
  )
}

function Over() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'confirm' | null>(null)
  const [isTicked, setIsTicked] = useState(true)
  const close = () => setOpen(null)
  return (
    <Section title="Over the page">
      <div className="actions">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Open a drawer</Button>
        <Button onClick={() => setOpen('confirm')}>Delete something</Button>
        <Button onClick={() => toast('Saved', 'It applies from the next email on.')}>Show a toast</Button>
        <Menu trigger={<Button>Open a menu</Button>}>
          <MenuText>Colours</MenuText>
          <MenuItem checked onSelect={() => toast('Chosen')}>
            The chosen one
          </MenuItem>
          <MenuItem onSelect={() => toast('Chosen')}>Another one</MenuItem>
          <MenuLine />
          <MenuCheck checked={isTicked} onChange={setIsTicked}>
            One of several
          </MenuCheck>
          <MenuItem icon="trash" onSelect={() => toast('Deleted')}>
            With an icon
          </MenuItem>
        </Menu>
      </div>
      <Dialog title="A dialog" open={open === 'dialog'} onClose={close}>
        <p>What is behind it cannot be reached.</p>
      </Dialog>
      <Dialog title="A drawer" kind="drawer" open={open === 'drawer'} onClose={close}>
        <p>The details of a row.</p>
      </Dialog>
      <ConfirmDialog
        title="Delete “Spring news”?"
        verb="Delete"
        typed="Spring news"
        open={open === 'confirm'}
        onClose={close}
        problem={undefined}
        onConfirm={async () => close()}
      >
        It cannot be undone.
      </ConfirmDialog>
    </Section>
  )
}

function Data() {
  return (
    <Section title="Data">
      <Table
        label="Campaigns"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'Sent', numeric: true, cell: ({ sent }) => sent },
          { name: 'Open rate', numeric: true, wide: true, cell: ({ rate }) => rate },
        ]}
      />
      <div className="actions">
        <SaveCsv label="Campaigns" file="campaigns" columns={[{ name: 'Name', value: ({ name }) => name }]} rows={rows} />
      </div>
      <Tiles title="Last 30 days" before="the 30 before" totals={{ ...totals, previous: { ...totals, sent: 10_000, bounceRate: 0.9 } }} />
      <Facts
        rows={[
          ['Id', <Copyable key="id" text="cmp_01k9" what="Id" />],
          ['Secret key', <Secret key="key" text="sk_0123456789abcdef" what="Secret key" />],
          ['Created', <Time key="at" at="2026-01-31T09:30:00.000Z" />],
          ['An address', <Address key="address" of="somebody.with.a.long.name@subdomain.example.com" />],
          ['A number', `${number(12_840)}, in short ${shortNumber(12_840)}`],
          ['A rate', percent(1.256)],
          ['A size', bytes(1_234_567)],
          ['A day', `${day('2026-01-31')}, ${ago('2026-01-31')}`],
          ['Left out', null],
        ]}
      />
    </Section>
  )
}
