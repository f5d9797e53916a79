/** What the lists we ship with know of domains. */
export interface DomainLists {
  /** Whether a domain, or one above it, gives addresses that are thrown away. */
  isDisposable(domain: string): boolean
  /** Whether a domain, or one above it, forwards to addresses it hides. */
  isAlias(domain: string): boolean
  /** Whether a domain is that of a provider of mailboxes for people. */
  isPersonal(domain: string): boolean
  /** The large provider a domain is nearly spelled like, if there is one. */
  likelyMeant(domain: string): string | undefined
}

// Services whose purpose is to forward to an address they hide.
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

// Stands in examples, never in an address of anybody (RFC 2606, 3).
const examples = new Set(['example.com', 'example.net', 'example.org', 'test.com'])

let loaded: Promise<DomainLists> | undefined

/** The lists, read when they are asked for the first time: they are megabytes most processes never need. */
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
  const thrownAway = disposable.default.blacklist()
  const personal = new Set(providers)
  const large = new Set(common)
  const isAlias = (domain: string): boolean => namesUpFrom(domain).some((name) => forwarders.has(name))
  const isDisposable = (domain: string): boolean => !isAlias(domain) && namesUpFrom(domain).some((name) => thrownAway.has(name))
  return {
    isAlias,
    isDisposable,
    isPersonal: (domain) => personal.has(domain) && !examples.has(domain) && !isDisposable(domain),
    likelyMeant(domain) {
      if (large.has(domain) || examples.has(domain) || isAlias(domain)) return undefined
      // The checker also suggests other endings for any name: only a large provider is a good guess.
      const meant = speller.run({ email: `x@${domain}` })?.domain
      if (meant === undefined || !large.has(meant)) return undefined
      // The list of all providers holds names such as gmial.com, but also real ones that are merely similar.
      return personal.has(domain) && !isSlip(domain, meant) ? undefined : meant
    },
  }
}

function namesUpFrom(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'))
}

// One letter left out, or two neighbours swapped.
function isSlip(domain: string, meant: string): boolean {
  return [...meant].some((letter, at) => {
    const [before, next, after] = [meant.slice(0, at), meant.slice(at + 1), meant.slice(at + 2)]
    return domain === before + next || domain === before + (meant[at + 1] ?? '') + letter + after
  })
}
