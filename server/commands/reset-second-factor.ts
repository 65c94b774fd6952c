// npm run admin:reset-second-factor -- --email ann@example.com
// For somebody who has lost the authenticator app and every recovery code: takes the second factor off the account and ends
// its sessions. A moderator or admin sets up another one before acting as such again. It is written into the audit log.
import { parseArgs } from 'node:util'
import { Registration } from '../../contracts/accounts.ts'
import { createJobQueue } from '../adapters/jobs/pg-boss.ts'
import { ToldError } from '../error-line.ts'
import { resetSecondFactor } from '../features/accounts/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { withDatabase } from './with-database.ts'

const email = readArguments()

await withDatabase(async ({ db, database, log }) => {
  const done = await resetSecondFactor({ db, clock: systemClock }, email)
  if (!done) throw new ToldError(`${email} has no account.`)
  if (!done.hadOne) throw new ToldError(`${email} has no second factor. Nothing was changed.`)
  // The server mails it, now or when it runs.
  const jobs = createJobQueue({ connectionString: database.url, log })
  try {
    await jobs.enqueue('accounts.mail-second-factor', { userId: done.userId, change: 'reset' })
  } finally {
    await jobs.stop()
  }
  console.log(`${email} has no second factor now, and is signed out everywhere.`)
})

function readArguments(): string {
  try {
    const { values } = parseArgs({ options: { email: { type: 'string' } } })
    const result = Registration.shape.email.safeParse(values.email ?? '')
    if (!result.success) throw new Error(`email: ${result.error.issues[0]?.message ?? 'not valid'}.`)
    return result.data
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm run admin:reset-second-factor -- --email ann@example.com`)
    process.exit(1)
  }
}
