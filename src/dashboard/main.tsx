import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme, storedTheme } from './data/theme.ts'
import { router } from './routes.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/charts.css'
import './styles/controls.css'
import './styles/domains.css'
import './styles/editor.css'
import './styles/home.css'
import './styles/over.css'
import './styles/pages.css'
import './styles/people.css'
import './styles/parts.css'
import './styles/shell.css'
import './styles/workflows.css'
import './styles/widths.css'

applyTheme(storedTheme())
const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element "app"')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
