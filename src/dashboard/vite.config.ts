import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const ours = [
  '/graphql',
  '/oauth',
  '/reset-password',
  '/verify-email',
  '/invitations',
  '/mailbox',
  '/contacts',
  '/suppressions',
  '/docs',
  '/openapi.json',
  '/favicon.svg',
]

/** How the dashboard is built (src/generate.js), and how `npm run dashboard` serves it beside a Postwire that runs on PORT. */
export default defineConfig(({ mode }) => {
  const { PORT = '8080' } = loadEnv(mode, fileURLToPath(new URL('../..', import.meta.url)), 'PORT')
  // The host stays as it is, so that cookies and the Origin of sockets belong together.
  const proxied = { target: `http://localhost:${PORT}`, ws: true, changeOrigin: false }
  return {
    root,
    base: '/app/',
    plugins: [react()],
    logLevel: 'warn',
    server: { proxy: Object.fromEntries(ours.map((path) => [`^${path}(/|\\?|$)`, proxied])) },
    build: {
      outDir: fileURLToPath(new URL('../generated/dashboard', import.meta.url)),
      emptyOutDir: true,
      target: 'baseline-widely-available',
      modulePreload: { polyfill: false },
      // Inline fonts and pictures would need a weaker content policy.
      assetsInlineLimit: 0,
    },
  }
})
