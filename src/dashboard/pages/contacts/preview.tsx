import { number } from '../../data/format.ts'
import type { CheckImportQuery, ContactFieldType } from '../../graphql/graphql.ts'
import { Facts } from '../../parts/facts.tsx'
import { RowErrors } from '../../parts/row-errors.tsx'
import { Badge, Note } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

const maxShown = 100
const types: Record<ContactFieldType, string> = { STRING: 'Text', NUMBER: 'Number', BOOLEAN: 'True or false', DATE: 'Date' }

/** What an import would do: how many contacts it creates and updates, which fields it has, and which rows are wrong. */
export function Preview({ preview }: { preview: CheckImportQuery['checkImport'] }) {
  const bad = preview.errors.length + preview.errorsOmitted
  const { fields } = preview
  const added = fields.filter(({ isNew }) => isNew).length
  return (
    <>
      <p className="sr-only" role="status">
        The file has been checked: {number(preview.new)} new contacts, {number(preview.existing)} existing, {number(bad)} rows with an
        error.
      </p>
      <Facts
        rows={[
          ['Rows', number(preview.rows)],
          ['New contacts', number(preview.new)],
          ['Contacts that exist', number(preview.existing)],
          ['Rows that unsubscribe', number(preview.unsubscribing)],
          ['Rows with an error', number(bad)],
        ]}
      />
      {preview.unsubscribing > 0 && (
        <Note kind="warn">
          In these rows “subscribed” is something else than true, 1 or yes: their contacts will get no marketing emails, and a later import
          does not subscribe them again.
        </Note>
      )}
      {preview.ignoredColumns.length > 0 && (
        <p className="muted">Not imported, because these names are taken: {preview.ignoredColumns.slice(0, maxShown).join(', ')}.</p>
      )}
      {fields.length > 0 && (
        <>
          <h3>
            Custom fields: {number(fields.length)}
            {added > 0 && `, of which ${number(added)} new`}
          </h3>
          <Table
            label="Custom fields of the file"
            rows={fields.slice(0, maxShown)}
            keyOf={({ name }) => name}
            columns={[
              { name: 'Field', cell: ({ name }) => name },
              { name: 'Type', cell: ({ type }) => types[type] },
              { name: 'In the project', cell: ({ isNew }) => (isNew ? <Badge tone="info">New</Badge> : 'Exists') },
            ]}
          />
          {fields.length > maxShown && <p className="muted">And {number(fields.length - maxShown)} more.</p>}
        </>
      )}
      {bad > 0 && (
        <Note kind="warn">Rows with an error are skipped. Correct them in the file and choose it again, or import the others.</Note>
      )}
      <RowErrors errors={preview.errors} omitted={preview.errorsOmitted} />
    </>
  )
}
