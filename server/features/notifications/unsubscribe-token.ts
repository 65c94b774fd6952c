import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUuid } from '../../../contracts/ids.ts'

/** A key for this purpose alone: what signs sessions signs nothing else. */
const keyOf = (sessionSecret: string) => createHmac('sha256', sessionSecret).update('unsubscribe from mail, 1').digest()

const sign = (sessionSecret: string, userId: string) => createHmac('sha256', keyOf(sessionSecret)).update(userId).digest()

/** Switches off one person's mail, whoever holds it, and can do nothing else. It does not expire: a mail may lie for years. */
export const unsubscribeToken = (sessionSecret: string, userId: string): string =>
  `${userId}.${sign(sessionSecret, userId).toString('base64url')}`

/** Whose token this is; null where we did not make it. */
export function unsubscribingUser(sessionSecret: string, token: string): string | null {
  const [userId = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(sessionSecret, userId)
  return isUuid(userId) && given.length === expected.length && timingSafeEqual(given, expected) ? userId : null
}
