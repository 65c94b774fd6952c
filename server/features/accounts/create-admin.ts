import { hashPassword } from 'better-auth/crypto'
import type { Registration } from '#contracts/accounts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Context } from '#server/kernel/context.ts'
import { findAccountByEmail, insertAccount, markEmailVerified, setAgeConfirmed, setRole } from './accounts.queries.ts'
import { requireAdult } from './birthday.ts'
import { requireStrongPassword } from './password-strength.ts'

export type NewAdmin = Pick<Registration, 'email' | 'password' | 'firstName' | 'lastName' | 'birthday'>

/**
 * Creates an admin account from the command line; the operator vouches for the address.
 * @returns false if the email already has an account, which is left unchanged
 * @throws AppError underage, weak_password
 */
export async function createAdmin({ db, clock, brand }: Pick<Context, 'db' | 'clock' | 'brand'>, admin: NewAdmin): Promise<boolean> {
  const { password, ...details } = admin
  requireAdult(details.birthday, clock)
  requireStrongPassword(password, { ...details, brandName: brand.name })
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const id = await insertAccount(tx, { ...details, userType: 'consumer', passwordHash }, clock.now())
    if (!id) return false
    await setRole(tx, id, 'admin')
    await setAgeConfirmed(tx, id, clock.now())
    await markEmailVerified(tx, id, clock.now())
    await auditNewAdmin(tx, id, clock)
    return true
  })
}

/** @returns false if there is no such account */
export async function promoteToAdmin(db: Db, email: string, clock: Clock): Promise<boolean> {
  const account = await findAccountByEmail(db, email)
  if (!account) return false
  await inTransaction(db, async (tx) => {
    await setRole(tx, account.id, 'admin')
    await setAgeConfirmed(tx, account.id, clock.now())
    await auditNewAdmin(tx, account.id, clock)
  })
  return true
}

/** Recorded as done by the system: the operator at the command line is not known to us. */
const auditNewAdmin = (tx: Tx, subjectId: string, clock: Clock) =>
  recordAudit(tx, {
    at: clock.now(),
    actorId: null,
    action: 'role.changed',
    subjectType: 'user',
    subjectId,
    details: { role: 'admin', because: 'command' },
  })
