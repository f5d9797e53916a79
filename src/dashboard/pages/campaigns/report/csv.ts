interface Options {
  project: string
  campaign: string
  outcome: string | undefined
}

/**
 * Saves the recipients of a campaign as a CSV file: all of them, or those with an outcome. What went wrong, or undefined. It is a
 * stream of the REST interface, since an answer of GraphQL cannot be a file.
 */
export async function saveRecipients({ project, campaign, outcome }: Options): Promise<string | undefined> {
  const query = outcome === undefined ? '' : `?outcome=${outcome}`
  const headers = { Accept: 'text/csv', 'X-Project-Id': project }
  const answer = await fetch(`/campaigns/${encodeURIComponent(campaign)}/recipients${query}`, { headers }).catch(() => undefined)
  if (!answer?.ok) return (await messageOf(answer)) ?? 'Check your connection, then try again.'
  const file = URL.createObjectURL(await answer.blob())
  const link = Object.assign(document.createElement('a'), { href: file, download: `recipients-${campaign}.csv` })
  link.click()
  URL.revokeObjectURL(file)
  return undefined
}

async function messageOf(answer: Response | undefined): Promise<string | undefined> {
  const body: unknown = await answer?.json().catch(() => undefined)
  const { error } = (body ?? {}) as { error?: { message?: string } }
  return error?.message
}
