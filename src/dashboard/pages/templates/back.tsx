import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/project.tsx'
import { Icon } from '../../parts/icon.tsx'

/** The way to the list. */
export function BackToTemplates() {
  const { id: project } = useProject()
  return (
    <Link to="/$project/templates" params={{ project }} className="back">
      <Icon name="chevron-left" />
      Templates
    </Link>
  )
}
