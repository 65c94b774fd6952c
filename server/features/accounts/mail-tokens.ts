import { createHash, randomBytes } from 'node:crypto'
import { isUuid } from '../../../contracts/ids.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../kernel/ids.ts'
import { type Account, findAccount } from './accounts.queries.ts'

/** What a mailed link is good for. */
export type Purpose = 'verify-email' | 'reset-password'

const hour = 3_600_000
const lifetimeMs: Record<Purpose, number> = { 'verify-email': 24 * hour, 'reset-password': hour }

type Owner = Pick<Account, 'id' | 'email'>

/** Names the address too: a link that was mailed to an older address of the account proves nothing about the present one. */
const identifierOf = (purpose: Purpose, owner: Owner) => `${purpose}:${owner.id}:${owner.email}`

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Makes a token for a mailed link. Only its hash is stored: who reads the table can open nobody's account. */
export async function issueMailToken(db: Db, purpose: Purpose, owner: Owner, now: Date): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('verifications')
    .values({
      id: newId(),
      identifier: identifierOf(purpose, owner),
      value: hashOf(secret),
      expires_at: new Date(now.getTime() + lifetimeMs[purpose]),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return `${owner.id}.${secret}`
}

/** Whose token this is, or null when it is forged, used or too old. */
export async function findMailTokenOwner(db: Db, purpose: Purpose, token: string, now: Date): Promise<Account | null> {
  const [accountId = '', secret = ''] = token.split('.')
  const account = isUuid(accountId) ? await findAccount(db, accountId) : undefined
  if (!account) return null
  const stored = await db
    .selectFrom('verifications')
    .select('id')
    .where('identifier', '=', identifierOf(purpose, account))
    .where('value', '=', hashOf(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return stored ? account : null
}

/** Uses the token up, and with it every other one for the same purpose. Of two at once, one gets `true`. */
export async function consumeMailToken(tx: Tx, purpose: Purpose, owner: Owner, token: string, now: Date): Promise<boolean> {
  const identifier = identifierOf(purpose, owner)
  const used = await tx
    .deleteFrom('verifications')
    .where('identifier', '=', identifier)
    .where('value', '=', hashOf(token.split('.')[1] ?? ''))
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!used) return false
  await tx.deleteFrom('verifications').where('identifier', '=', identifier).execute()
  return true
}
