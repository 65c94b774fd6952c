import { isUuid } from '../../../contracts/ids.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { type Account, findAccount } from './accounts.queries.ts'
import { forgetValues, isSecretGood, issueSecret, spendSecret } from './one-use-secrets.ts'

/** What a mailed link is good for. */
export type Purpose = 'verify-email' | 'reset-password'

const hour = 3_600_000
const lifetimeMs: Record<Purpose, number> = { 'verify-email': 24 * hour, 'reset-password': hour }

type Owner = Pick<Account, 'id' | 'email'>

/** Names the address too: a link that was mailed to an older address of the account proves nothing about the present one. */
const identifierOf = (purpose: Purpose, owner: Owner) => `${purpose}:${owner.id}:${owner.email}`

const secretOf = (token: string) => token.split('.')[1] ?? ''

/** Makes a token for a mailed link. */
export async function issueMailToken(db: Db, purpose: Purpose, owner: Owner, now: Date): Promise<string> {
  return `${owner.id}.${await issueSecret(db, identifierOf(purpose, owner), lifetimeMs[purpose], now)}`
}

/** Whose token this is, or null when it is forged, used or too old. */
export async function findMailTokenOwner(db: Db, purpose: Purpose, token: string, now: Date): Promise<Account | null> {
  const [accountId = ''] = token.split('.')
  const account = isUuid(accountId) ? await findAccount(db, accountId) : undefined
  if (!account) return null
  return (await isSecretGood(db, identifierOf(purpose, account), secretOf(token), now)) ? account : null
}

/** Uses the token up, and with it every other one for the same purpose. Of two at once, one gets `true`. */
export const consumeMailToken = (tx: Tx, purpose: Purpose, owner: Owner, token: string, now: Date): Promise<boolean> =>
  spendSecret(tx, identifierOf(purpose, owner), secretOf(token), now)

/** Links that were mailed before are good for nothing any more. */
export const endMailTokens = (tx: Tx, purpose: Purpose, owner: Owner): Promise<void> => forgetValues(tx, identifierOf(purpose, owner))
