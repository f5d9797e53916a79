/** What the lists shipped with the product know about domains. */
export interface DomainLists {
  /** Whether a domain, or a parent of it, provides disposable addresses. */
  isDisposable(domain: string): boolean
  /** Whether a domain, or a parent of it, forwards to addresses that it hides. */
  isAlias(domain: string): boolean
  /** Whether a domain belongs to a provider of personal mailboxes. */
  isPersonal(domain: string): boolean
  /** The domain of a large provider that this one is probably a typo of, if there is one. */
  probablyMeant(domain: string): string | undefined
}

// Services whose purpose is to forward emails to an address that they hide.
const forwarders = new Set([
  '33mail.com',
  '4wrd.cc',
  '8alias.com',
  '8shield.net',
  'addy.io',
  'addymail.com',
  'aleeas.com',
  'anonaddy.com',
  'anonaddy.me',
  'burnermail.io',
  'dralias.com',
  'duck.com',
  'e4ward.com',
  'erine.email',
  'mozmail.com',
  'opayq.com',
  'passfwd.com',
  'passinbox.com',
  'passmail.com',
  'passmail.net',
  'privaterelay.appleid.com',
  'relay.firefox.com',
  'silomails.com',
  'simplelogin.co',
  'simplelogin.com',
  'simplelogin.fr',
  'simplelogin.io',
  'slmail.me',
  'slmails.com',
])

// Used in examples, never in a real address (RFC 2606, 3).
const examples = new Set(['example.com', 'example.net', 'example.org', 'test.com'])

let loaded: Promise<DomainLists> | undefined

/** The lists, loaded on first use: they take megabytes that most processes never need. */
export function domainLists(): Promise<DomainLists> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<DomainLists> {
  const [disposable, { default: providers }, { default: common }, speller] = await Promise.all([
    import('mailchecker'),
    import('email-providers/all.json', { with: { type: 'json' } }),
    import('email-providers/common.json', { with: { type: 'json' } }),
    import('@zootools/email-spell-checker'),
  ])
  const disposableDomains = disposable.default.blacklist()
  const personal = new Set(providers)
  const large = new Set(common)
  const isAlias = (domain: string): boolean => withParents(domain).some((name) => forwarders.has(name))
  const isDisposable = (domain: string): boolean => !isAlias(domain) && withParents(domain).some((name) => disposableDomains.has(name))
  return {
    isAlias,
    isDisposable,
    isPersonal: (domain) => personal.has(domain) && !examples.has(domain) && !isDisposable(domain),
    probablyMeant(domain) {
      if (large.has(domain) || examples.has(domain) || isAlias(domain)) return undefined
      // The checker also suggests other top-level domains for any name: only a large provider is a good guess.
      const meant = speller.run({ email: `x@${domain}` })?.domain
      if (meant === undefined || !large.has(meant)) return undefined
      // The list of all providers contains typos such as gmial.com, but also real providers with similar names.
      return personal.has(domain) && !isSmallTypo(domain, meant) ? undefined : meant
    },
  }
}

function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'))
}

// One letter is missing, or two neighbouring letters are swapped.
function isSmallTypo(domain: string, meant: string): boolean {
  return [...meant].some((letter, at) => {
    const [before, next, after] = [meant.slice(0, at), meant.slice(at + 1), meant.slice(at + 2)]
    return domain === before + next || domain === before + (meant[at + 1] ?? '') + letter + after
  })
}
