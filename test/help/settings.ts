import { Settings } from '../../src/kit/config.ts'

interface Setting {
  name: string
  description: string
  preset: string
}

function settings(): Setting[] {
  const presets = Settings.parse({}) as Record<string, unknown>
  return Object.entries(Settings.shape).map(([name, shape]) => {
    const preset = presets[name]
    return { name, description: shape.description ?? '', preset: preset === undefined || Array.isArray(preset) ? '' : String(preset) }
  })
}

/** The text of .env.example. */
export function envExample(): string {
  const head = '# Every setting, with its default. Copy it to .env, which `npm start` reads; environment variables take precedence.\n'
  return `${head}\n${settings()
    .map(({ name, description, preset }) => `# ${description}\n${preset === '' ? '# ' : ''}${name}=${preset}\n`)
    .join('\n')}`
}

/** The table of settings in README.md, as Markdown. */
export function settingsTable(): string {
  const rows = settings().map(
    ({ name, description, preset }) => `| \`${name}\` | ${preset === '' ? '' : `\`${preset}\``} | ${description.replaceAll('|', '\\|')} |`,
  )
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n')
}
