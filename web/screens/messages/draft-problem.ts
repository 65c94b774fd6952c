import { holdsLink, maxMessageLength, maxRequestLength } from '#contracts/messages.rules.ts'
import { formatNumber } from '#web/lib/format.ts'

/** Why a text can't be sent; null if it can. Requests have a shorter limit. */
export function draftProblem(text: string, isRequest: boolean): string | null {
  const maxLength = isRequest ? maxRequestLength : maxMessageLength
  const over = text.trim().length - maxLength
  if (over > 0) {
    return `${formatNumber(over)} ${over === 1 ? 'character' : 'characters'} too long. ${isRequest ? 'Requests' : 'Messages'} can have at most ${formatNumber(maxLength)}.`
  }
  return isRequest && holdsLink(text) ? 'Requests can’t include links. Send it once your request is accepted.' : null
}
