/** Sends a CSV file as a form to POST /contacts/import. */
export async function postCsv(url: string, key: string, csv: string | Uint8Array<ArrayBuffer>, query = '') {
  const form = new FormData()
  form.append('note', 'a field that is no file')
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv')
  const response = await fetch(`${url}/contacts/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
