import { useParams } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { useRead } from '../../data/read.ts'
import { TemplateDocument } from '../../graphql/graphql.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { BackToTemplates } from './back.tsx'
import { Editor } from './editor.tsx'

/** The editor of a template. */
export function Template() {
  const { template: id } = useParams({ from: '/signed-in/$project/templates/$template' })
  const [{ data, error, fetching }, ask] = useRead({ query: TemplateDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  if (data?.template?.id === id) return <Editor key={id} template={data.template} onRead={again} />
  return (
    <Page title="Template" above={<BackToTemplates />}>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!error && fetching && <Loading rows={8} />}
      {!error && !fetching && <Empty icon="file" title="This template does not exist, or was deleted" />}
    </Page>
  )
}
