import { Settings } from '../../src/kit/config.ts'

interface Setting {
  name: string
  description: string
  fallback: string
}

function settings(): Setting[] {
  const fallbacks = Settings.parse({}) as Record<string, unknown>
  return Object.entries(Settings.shape).map(([name, shape]) => {
    const fallback = fallbacks[name]
    return {
      name,
      description: shape.description ?? '',
      fallback: fallback === undefined || Array.isArray(fallback) ? '' : String(fallback),
    }
  })
}

/** The text of .env.example. */
export function envExample(): string {
  const head = '# Every setting, with its default. Copy it to .env, which `npm start` reads; environment variables take precedence.\n'
  return `${head}\n${settings()
    .map(({ name, description, fallback }) => `# ${description}\n${fallback === '' ? '# ' : ''}${name}=${fallback}\n`)
    .join('\n')}`
}

/** The table of settings in README.md, as Markdown. */
export function settingsTable(): string {
  const rows = settings().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${description.replaceAll('|', '\\|')} |`,
  )
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n')
}
