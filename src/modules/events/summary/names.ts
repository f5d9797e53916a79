/** Which lines of a name are summarised under another one, which conditions ask for: `people` those that no machine caused. */
type Counted = 'people' | 'permanent'

/** What happens to emails, as conditions ask for it. */
interface EmailActivity {
  /** What follows `email.` in a condition, in every spelling. */
  spellings: readonly string[]
  /** The name of the lines. */
  line: string
  /** Another name, which lines do not have, under which some of them are summarised as well. */
  counted?: { name: string; only: Counted }
}

/**
 * What happens to emails. A machine that opens or clicks is no person that did, and an address whose bounce passes still exists: those
 * lines are summarised under their own name alone, which no condition on `email.<activity>` asks for.
 */
export const emailActivities: readonly EmailActivity[] = [
  { spellings: ['sent'], line: 'email.sent' },
  { spellings: ['delivery', 'delivered'], line: 'email.delivery' },
  { spellings: ['open', 'opened'], line: 'email.open', counted: { name: 'email.opened', only: 'people' } },
  { spellings: ['click', 'clicked'], line: 'email.click', counted: { name: 'email.clicked', only: 'people' } },
  { spellings: ['bounce', 'bounced'], line: 'email.bounce', counted: { name: 'email.bounced', only: 'permanent' } },
  { spellings: ['complaint', 'complained'], line: 'email.complaint' },
]

/** Those of them that are summarised under a second name: the name of the lines, the other one, and which lines. */
export const countedActivities: readonly { line: string; name: string; only: Counted }[] = emailActivities.flatMap(({ line, counted }) =>
  counted ? { line, ...counted } : [],
)
