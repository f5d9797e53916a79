import { Outlet, useParams } from '@tanstack/react-router'
import { ProjectProvider } from '../data/project.tsx'
import { useViewer } from '../data/session.tsx'
import { Banners } from './banners.tsx'
import { NotFound } from './failures.tsx'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'

/** The frame of the pages of a project, whose id is in the address. */
export function ProjectFrame() {
  const { project: id } = useParams({ from: '/signed-in/$project' })
  const project = useViewer().projects.nodes.find((one) => one.id === id)
  if (!project) return <NotFound />
  return (
    <ProjectProvider project={project}>
      <div className="shell">
        <Header project={project} />
        <aside className="side">
          <Navigation projectId={id} />
        </aside>
        <main id="main" className="main" tabIndex={-1}>
          <Banners />
          <Outlet />
        </main>
      </div>
    </ProjectProvider>
  )
}
