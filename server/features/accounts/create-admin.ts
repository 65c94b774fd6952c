import { hashPassword } from 'better-auth/crypto'
import type { Registration } from '../../../contracts/accounts.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { findAccountByEmail, insertAccount, markEmailVerified, setRole } from './accounts.queries.ts'
import { requireAdult } from './birthday.ts'
import { requireStrongPassword } from './password-strength.ts'

export type NewAdmin = Pick<Registration, 'email' | 'password' | 'firstName' | 'lastName' | 'birthday'>

/**
 * Makes an admin's account, for the command line: the operator vouches for the address.
 * @returns false when the email has an account; it is left as it is
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
    await markEmailVerified(tx, id, clock.now())
    return true
  })
}

/** Makes an existing account an admin. @returns false when there is none */
export async function promoteToAdmin(db: Db, email: string): Promise<boolean> {
  const account = await findAccountByEmail(db, email)
  if (account) await setRole(db, account.id, 'admin')
  return account !== undefined
}
