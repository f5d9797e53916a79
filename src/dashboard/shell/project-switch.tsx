import { useNavigate } from '@tanstack/react-router'
import { type MemberProject, useViewer } from '../data/session.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem, MenuLine, MenuText } from '../parts/menu.tsx'

/** Which project the page is of, and the way to the others. */
export function ProjectSwitch({ project }: { project: MemberProject }) {
  const navigate = useNavigate()
  const all = useViewer().projects.nodes
  return (
    <Menu
      trigger={
        <Button kind="quiet" className="project-switch" aria-label={`Project: ${project.name}`}>
          <span className="cut">{project.name}</span>
          <Icon name="chevron-down" />
        </Button>
      }
    >
      <MenuText>Projects</MenuText>
      {all.map(({ id, name }) => (
        <MenuItem key={id} checked={id === project.id} onSelect={() => void navigate({ to: '/$project', params: { project: id } })}>
          {name}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="plus" onSelect={() => void navigate({ to: '/' })}>
        All projects, and a new one
      </MenuItem>
    </Menu>
  )
}
