import type { ContentMode } from '../../graphql/graphql.ts'
import { Badge } from '../state.tsx'

/** The name of a template or campaign in a list, and whether it is made in the visual editor. */
export function NameAndMode({ name, mode }: { name: string; mode: ContentMode }) {
  return (
    <span className="badges">
      <strong>{name}</strong>
      {mode === 'VISUAL' && <Badge tone="info">Visual editor</Badge>}
    </span>
  )
}
