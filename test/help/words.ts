/** Phrases that a reader would stop at: words of our own, and "a" where "per" is meant. */
export const oddWords =
  /\b(who is no|who is a member of several|is none of|\w+s an? (calendar )?(second|minute|hour|day|month|year)|[KM]B an? (request|call)|goes? away|is away|somebody|shall|(is|are) told|last looked for|of the whole)\b/i
