import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  specifiedRules,
  type ValidationRule,
  type ValueNode,
  ValuesOfCorrectTypeRule,
  validate,
  validateInputLiteral,
} from 'graphql'
import { shorten } from '../../kit/cut.ts'
import { errorLimits, withoutStacks } from '../../kit/errors.ts'

/**
 * Validates a document as the library does, but stops after 20 errors, and after the third of one value. The errors hold nothing of the
 * call, because they are cached with their document: until its stack is read, an error holds the frames it was made in, with their variables.
 */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = specifiedRules,
): readonly GraphQLError[] {
  const bounded = rules.map((rule) => (rule === ValuesOfCorrectTypeRule ? valuesOfCorrectType : rule))
  // The library adds an error which says that it stopped.
  return withoutStacks(() => validate(schema, document, bounded, { maxErrors: errorLimits.problems - 1 }))
}

// Each error of the library has the whole value that holds the wrong one, which may be nearly all of the document.
const maxErrorsOfValue = 3
const enough = new Error('No more errors of this value are wanted')

const valuesOfCorrectType: ValidationRule = (context) => {
  const check = (node: ValueNode, type: GraphQLInputType | null | undefined): false => {
    let reported = 0
    const report = (error: GraphQLError): void => {
      if (reported++ === maxErrorsOfValue) throw enough
      context.reportError(
        new GraphQLError(shorten(error.message, errorLimits.message), { nodes: error.nodes, originalError: error.originalError }),
      )
    }
    try {
      if (type) validateInputLiteral(node, type, report, undefined, undefined, context.hideSuggestions)
    } catch (error) {
      if (error !== enough) throw error
    }
    return false
  }
  const checkInput = (node: ValueNode): false => check(node, context.getInputType())
  return {
    NullValue: checkInput,
    ListValue: (node) => check(node, context.getParentInputType()),
    ObjectValue: checkInput,
    EnumValue: checkInput,
    IntValue: checkInput,
    FloatValue: checkInput,
    StringValue: checkInput,
    BooleanValue: checkInput,
  }
}
