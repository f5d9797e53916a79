import { Link } from '@tanstack/react-router'
import { projectPages } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'

interface Props {
  projectId: string
  /** Called when a page was chosen. */
  onChoose?: () => void
}

/** The pages of a project, and the tools for developers. */
export function Navigation({ projectId, onChoose }: Props) {
  return (
    <nav className="nav" aria-label="Pages">
      <ul>
        {projectPages.map(({ path, title, icon }) => (
          <li key={path}>
            <Link
              to={path}
              params={{ project: projectId }}
              activeOptions={{ exact: path === '/$project', includeSearch: false }}
              onClick={onChoose}
            >
              <Icon name={icon} />
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <ul className="nav-tools">
        <li>
          <a href="/graphql" target="_blank" rel="noreferrer">
            <Icon name="code" />
            GraphiQL
          </a>
        </li>
        <li>
          <a href="/docs" target="_blank" rel="noreferrer">
            <Icon name="file" />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  )
}
