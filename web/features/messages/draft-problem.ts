import { holdsLink, maxMessageLength, maxRequestLength } from '../../../contracts/message-rules.ts'
import { formatNumber } from '../../lib/format.ts'

/** Why a text cannot be sent as it is; null when it can. A request has stricter rules. */
export function draftProblem(text: string, isRequest: boolean): string | null {
  const longest = isRequest ? maxRequestLength : maxMessageLength
  const over = text.trim().length - longest
  if (over > 0) {
    return `${formatNumber(over)} ${over === 1 ? 'character' : 'characters'} too long: ${isRequest ? 'a request' : 'a message'} has at most ${formatNumber(longest)}.`
  }
  return isRequest && holdsLink(text) ? 'A request cannot hold a link. Send it once your request is accepted.' : null
}
