// npm run admin:create -- --email ann@example.com [--name "Ann Gardener"] [--birthday 1990-04-01] [--promote]
// Makes an admin's account, or with --promote an admin of an account that exists. The password is asked for on a
// terminal; elsewhere it is ADMIN_PASSWORD, or the first line of standard input.
import { parseArgs } from 'node:util'
import { Registration } from '../../contracts/accounts.ts'
import { makeBrand } from '../../contracts/brand.ts'
import { ToldError } from '../error-line.ts'
import { createAdmin, type NewAdmin, promoteToAdmin } from '../features/accounts/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { ask, askSecret, firstLineOfInput, isInteractive } from './prompt.ts'
import { withDatabase } from './with-database.ts'

const usage = 'Usage: npm run admin:create -- --email ann@example.com [--name "Ann Gardener"] [--birthday 1990-04-01] [--promote]'

const given = readArguments()

await withDatabase(async ({ config, db, signal }) => {
  const { email } = given
  if (given.promote) {
    if (!(await promoteToAdmin(db, email, systemClock))) throw new ToldError(`${email} has no account. Leave out --promote to make one.`)
    console.log(`${email} is an admin now, and sets up a second factor at ${config.publicUrl}/admin`)
    return
  }

  const name = given.name ?? (isInteractive ? await ask('Name: ', signal) : '')
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  const birthday = given.birthday ?? (isInteractive ? await ask('Birthday (YYYY-MM-DD): ', signal) : '')
  const admin: NewAdmin = {
    email,
    firstName: firstName ? checked('firstName', firstName) : 'Admin',
    lastName: rest.length > 0 ? checked('lastName', rest.join(' ')) : '',
    birthday: checked('birthday', birthday),
    password: checked('password', await readPassword(signal)),
  }
  const brand = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: systemClock.now().getUTCFullYear() })
  const isMade = await createAdmin({ db, clock: systemClock, brand }, admin).catch(tell)
  if (!isMade) throw new ToldError(`${email} has an account. Add --promote to make it an admin.`)
  console.log(`Made an admin: ${email}. Sign in at ${config.publicUrl}/auth, and set up a second factor at ${config.publicUrl}/admin`)
})

/** Before the database is opened: a slip in the command is told at once. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: { email: { type: 'string' }, name: { type: 'string' }, birthday: { type: 'string' }, promote: { type: 'boolean' } },
    })
    return { ...values, email: checked('email', values.email ?? '') }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(1)
  }
}

async function readPassword(signal: AbortSignal): Promise<string> {
  if (process.env.ADMIN_PASSWORD) return process.env.ADMIN_PASSWORD
  if (!isInteractive) return firstLineOfInput()
  const password = await askSecret('Password: ', signal)
  if ((await askSecret('The same again: ', signal)) !== password) throw new ToldError('The two passwords differ. Nothing was changed.')
  return password
}

/** By the same rules as a registration in the page. */
function checked<Field extends 'email' | 'password' | 'firstName' | 'lastName' | 'birthday'>(field: Field, value: string): string {
  const result = Registration.shape[field].safeParse(value)
  if (!result.success) throw new ToldError(`${field}: ${result.error.issues[0]?.message ?? 'not valid'}. Nothing was changed.`)
  return result.data
}

/** Refusals are for people as they are: too young, too weak. */
function tell(error: unknown): never {
  throw error instanceof AppError ? new ToldError(error.message) : error
}
