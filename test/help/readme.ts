/** A block of README.md for readers to paste. */
export interface Example {
  number: number
  title: string
  language: string
  text: string
}

/** The request of a curl command; header names are in lower case. */
export interface CurlCall {
  url: string
  headers: Record<string, string>
  body?: string
}

/** The blocks marked `<!-- try -->`, in order. */
export function examplesOf(markdown: string): Example[] {
  return [...markdown.matchAll(/<!-- try -->\n```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', text = ''], at) => ({
    number: at + 1,
    title:
      text
        .trim()
        .split('\n')[0]
        ?.replace(/\s*\\$/, '') ?? '',
    language,
    text,
  }))
}

/** The shell scripts marked `<!-- try as a script -->`, in order. */
export function scriptsOf(markdown: string): string[] {
  return [...markdown.matchAll(/<!-- try as a script -->\n```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text)
}

/** The programs marked `<!-- try with node -->`, by the package that each is about, in order. */
export function programsOf(markdown: string): { about: string; text: string }[] {
  const marked = markdown.matchAll(/<!-- try with node -->\n```js\n([\s\S]*?)```/g)
  return [...marked].map(([, text = '']) => ({ about: /from '([^']+)'/.exec(text)?.[1] ?? '', text }))
}

/** Parses a curl command as a shell would, with these variables; supports -H, -d, -N and the cookie jars of -b and -c. */
export function parseCurl(command: string, variables: Record<string, string>): CurlCall {
  const [program, ...words] = shellWords(command, variables)
  if (program !== 'curl') throw new Error(`This is not a curl command: ${command}`)
  const call: CurlCall = { url: '', headers: {} }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-N') continue
    if (word === '-b' || word === '-c') at++
    else if (word === '-d') call.body = words[++at] ?? ''
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(words[++at] ?? '') ?? []
      call.headers[name.toLowerCase()] = value
    } else call.url = word
  }
  return call
}

function shellWords(command: string, variables: Record<string, string>): string[] {
  const joined = command.trim().replaceAll('\\\n', ' ')
  return [...joined.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => {
    if (single !== undefined) return single
    return (double ?? bare ?? '').replace(/\$(\w+)/g, (_all, name: string) => variables[name] ?? '')
  })
}
