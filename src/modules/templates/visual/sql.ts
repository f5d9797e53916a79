type Table = 'templates' | 'campaigns'

/**
 * The text of a statement for the documents of some rows ($1 project, $2 ids) that have one, as JSON text, with their sizes in bytes;
 * null when they have more than $3 bytes together. Written by hand because a size is known without its document.
 */
export function documentsIn(table: Table): string {
  return `select t.id, octet_length(t.document::text) as bytes,
     case when sum(octet_length(t.document::text)) over () <= $3 then t.document::text end as body
   from ${table} t where t.project_id = $1 and t.id = any($2::text[]) and t.document is not null order by t.id desc`
}

const both = `json_build_object('body', t.body, 'document', t.document)::text`

/** The same for the bodies of rows together with their documents, as JSON text. */
export function writtenIn(table: Table): string {
  const bytes = `octet_length(t.body) + coalesce(octet_length(t.document::text), 0)`
  return `select t.id, ${bytes} as bytes, case when sum(${bytes}) over () <= $3 then ${both} end as body
   from ${table} t where t.project_id = $1 and t.id = any($2::text[]) order by t.id desc`
}
