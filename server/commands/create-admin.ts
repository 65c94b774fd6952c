import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { Registration } from '#contracts/accounts.ts'
import { makeBrand } from '#contracts/brand.ts'
import { UserFacingError } from '#server/error-line.ts'
import { createAdmin, type NewAdmin, promoteToAdmin } from '#server/features/accounts/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { withDatabase } from './run-command.ts'

// npm run admin:create -- --email ann@example.com [--name "Ann Gardener"] [--birthday 1990-04-01] [--promote]
// Creates an admin account or, with --promote, makes an existing account an admin. Prompts for the password on a terminal. Without a
// terminal, reads ADMIN_PASSWORD or the first line of standard input.
const usage = 'Usage: npm run admin:create -- --email ann@example.com [--name "Ann Gardener"] [--birthday 1990-04-01] [--promote]'

const isInteractive = Boolean(process.stdin.isTTY && process.stdout.isTTY)

const given = readArguments()

const ask = (question: string, signal: AbortSignal): Promise<string> => prompt(question, signal, true)

const askSecret = (question: string, signal: AbortSignal): Promise<string> => prompt(question, signal, false)

await withDatabase(async ({ config, db, signal }) => {
  const { email } = given
  if (given.promote) {
    if (!(await promoteToAdmin(db, email, systemClock).catch(report)))
      throw new UserFacingError(`${email} has no account. Leave out --promote to create one.`)
    console.log(`${email} is now an admin, with a second factor to set up at ${config.publicUrl}/admin`)
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
  const isMade = await createAdmin({ db, clock: systemClock, brand }, admin).catch(report)
  if (!isMade) throw new UserFacingError(`${email} already has an account. Add --promote to make it an admin.`)
  console.log(`Created an admin: ${email}. Sign in at ${config.publicUrl}/auth, and set up a second factor at ${config.publicUrl}/admin`)
})

/** Runs before the database is opened, so a mistake in the command is reported immediately. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: { email: { type: 'string' }, name: { type: 'string' }, birthday: { type: 'string' }, promote: { type: 'boolean' } },
    })
    const email = checked('email', values.email ?? '')
    if (!(isInteractive || values.promote || values.birthday))
      throw new Error('When running without a terminal, add --birthday YYYY-MM-DD.')
    return { ...values, email }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(1)
  }
}

async function readPassword(signal: AbortSignal): Promise<string> {
  if (process.env.ADMIN_PASSWORD) return process.env.ADMIN_PASSWORD
  if (!isInteractive) return firstLineOfInput()
  const password = await askSecret('Password: ', signal)
  if ((await askSecret('Repeat password: ', signal)) !== password)
    throw new UserFacingError("The passwords don't match. Nothing was changed.")
  return password
}

function checked<Field extends 'email' | 'password' | 'firstName' | 'lastName' | 'birthday'>(field: Field, value: string): string {
  const result = Registration.shape[field].safeParse(value)
  if (!result.success) throw new UserFacingError(`${field}: ${result.error.issues[0]?.message ?? 'not valid'}. Nothing was changed.`)
  return result.data
}

function report(error: unknown): never {
  throw error instanceof AppError ? new UserFacingError(error.message) : error
}

async function prompt(question: string, signal: AbortSignal, isShown: boolean): Promise<string> {
  let isEchoing = true
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isEchoing) process.stdout.write(chunk)
      done()
    },
  })
  const stop = new AbortController()
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // In terminal mode, Ctrl-C must be handled here, and on Ctrl-D (end of input) the question would wait forever.
  lines.once('SIGINT', () => stop.abort())
  lines.once('close', () => stop.abort())
  try {
    const answer = lines.question(question, { signal: AbortSignal.any([signal, stop.signal]) })
    isEchoing = isShown
    return await answer
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new UserFacingError('Nothing was changed.')
    throw error
  } finally {
    if (!isShown || stop.signal.aborted) process.stdout.write('\n')
    lines.close()
  }
}

/** For scripts: `echo "$PASSWORD" | npm run …`. Empty if there is no input. */
async function firstLineOfInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/)[0] as string
}
