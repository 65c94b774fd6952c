import * as z from 'zod/mini'

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const maxChoices = 12

type Issue = z.core.$ZodRawIssue

export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required'
      return kinds[issue.expected] ? `Must be ${kinds[issue.expected]}` : 'Invalid input'
    case 'invalid_value':
      if (issue.input === undefined) return 'Required'
      return issue.values.length > maxChoices ? 'Invalid input' : `Must be ${listed(issue.values.map(String))}`
    case 'too_small':
      return `Must ${amount(issue.origin, 'at least', issue.minimum, issue.inclusive ?? true)}`
    case 'too_big':
      return `Must ${amount(issue.origin, 'at most', issue.maximum, issue.inclusive ?? true)}`
    default:
      return 'Invalid input'
  }
}

function amount(origin: string, limit: 'at least' | 'at most', bound: number | bigint, isInclusive: boolean): string {
  const text = bound.toLocaleString('en-US')
  if (origin === 'string') return `have ${limit} ${text} ${bound === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${limit} ${text} ${bound === 1 ? 'entry' : 'entries'}`
  if (isInclusive) return `be ${limit} ${text}`
  return limit === 'at least' ? `be more than ${text}` : `be less than ${text}`
}

// British English, because American lists have a comma before the last item, unlike the app's sentences.
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const listed = (values: string[]) => alternatives.format(values)

z.config({ customError: describeIssue })
