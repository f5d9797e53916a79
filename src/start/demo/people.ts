import type { ContactDraft } from '../../modules/contacts/shapes.ts'

const firstNames =
  'Amara Ben Chiara David Elif Femi Greta Hugo Ines Jonas Kaya Liam Mina Noah Olga Pedro Quinn Rosa Sami Tara Ugo Vera Wang Ximena Yusuf Zoe Anton Bea Carlos Dana'.split(
    ' ',
  )
const lastNames =
  'Adler Bauer Costa Dubois Eriksen Fischer Garcia Haddad Ito Jansen Kowalski Lopez Moreau Novak Okafor Park Rossi Silva Tanaka Weber'.split(
    ' ',
  )
// Names under .test belong to nobody (RFC 6761): whatever is sent there reaches nobody.
const companies = ['Northwind', 'Fabrikam', 'Globex', 'Initech', 'Umbrella', 'Hooli']
const locales = ['en', 'en', 'de', 'fr', 'es', 'nl']
const plans = ['free', 'free', 'pro', 'free', 'team', 'pro']

/** Somebody of the demo data, and when they signed up, as a share of the time that the demo data covers. */
export interface DemoPerson {
  draft: ContactDraft & { data: Record<string, unknown> }
  name: string
  plan: string
  since: number
}

/** How many people the demo data has. */
export const peopleCount = 60

/** The people of the demo data, with custom data of every type, in the order in which they sign up. */
export function demoPeople(dayOf: (since: number) => string): DemoPerson[] {
  return Array.from({ length: peopleCount }, (_, at) => {
    const name = pick(firstNames, at * 7)
    const company = pick(companies, at * 5 + (at >> 3))
    const plan = pick(plans, at)
    const since = at / peopleCount
    const email = `${name}.${pick(lastNames, at * 3 + (at >> 2))}${at}@${company}.test`.toLowerCase()
    const data = {
      name,
      company,
      plan,
      seats: plan === 'free' ? 1 : 2 + ((at * 11) % 40),
      score: Math.round(((at * 37) % 100) * 0.73 * 10) / 10,
      trial: plan !== 'free' && at % 4 === 0,
      signedUp: dayOf(since),
      locale: pick(locales, at),
      interests: at % 3 === 0 ? ['api', 'design'] : ['news'],
    }
    return { draft: { email, subscribed: at % 9 !== 5, data }, name, plan, since }
  })
}

function pick<T>(list: T[], at: number): T {
  return list[at % list.length] as T
}
