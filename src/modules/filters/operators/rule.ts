import type { FieldFilter, FilterOperator, Need, operators } from '../shapes.ts'
import type { Argument, Problem } from './arguments.ts'
import type { RowScope } from './rows.ts'
import type { TextSearch } from './search.ts'

/** How many contacts a statement looks at: a few thousand at most, or up to all of a project. */
export type Reach = 'few' | 'many'

/** What a predicate may refer to besides the contact `c`: the project is `$1`. */
export interface Scope extends RowScope {
  now: Date
  /** When the name of an event was last deleted, while what was summarised before is still being removed. */
  deletedAt(name: string): Date | undefined
  /** The predicate that a contact is a member of a segment; it may be null, which means that it is not. */
  memberOf(segmentId: string): string
  /** The predicate that a contact is not a member of a segment; never null. */
  notMemberOf(segmentId: string): string
}

/** What a value is compared with besides that of the filter. */
export interface EvaluationContext {
  now: Date
  texts: TextSearch
}

/** An operator with its value, ready to be applied to the values of a field. */
export interface Operation<Actual> {
  /** The predicate over the contact `c`; null counts as false. */
  sql(scope: Scope): string
  /** The same for one value; long texts are looked through in pieces, between which others are answered. */
  matches(actual: Actual, asked: EvaluationContext): boolean | Promise<boolean>
}

/** One operator, which reads the value of a filter. */
export interface Rule<Actual, Needs extends Need = Need> {
  needs: Needs
  read(filter: FieldFilter): { operation: Operation<Actual>; outdated: Problem[] } | { problems: Problem[] }
}

/** The operators that a family of fields takes, each with what `operators` says that it needs. */
export type Rules<Actual> = { [Operator in FilterOperator]?: Rule<Actual, (typeof operators)[Operator]['needs']> }

/** Makes the rule of an operator: how it reads its value, and what it means in SQL and in memory. */
export function rule<Actual, Arg, Needs extends Need>(
  argument: Argument<Arg, Needs>,
  sql: (arg: Arg, scope: Scope) => string,
  matches: (actual: Actual, arg: Arg, asked: EvaluationContext) => boolean | Promise<boolean>,
): Rule<Actual, Needs> {
  return {
    needs: argument.needs,
    read(filter) {
      const read = argument.read(filter)
      if ('problems' in read) return read
      const { arg, outdated = [] } = read
      return { outdated, operation: { sql: (scope) => sql(arg, scope), matches: (actual, asked) => matches(actual, arg, asked) } }
    },
  }
}
