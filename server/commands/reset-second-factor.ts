// npm run admin:reset-second-factor -- --email ann@example.com
// For a person who has lost the authenticator app and every recovery code: removes the second factor and ends their sessions. Moderators
// and admins must set up a new one before using their role again. Recorded in the audit log.
import { parseArgs } from 'node:util'
import { Registration } from '#contracts/accounts.ts'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { UserFacingError } from '#server/error-line.ts'
import { resetSecondFactor } from '#server/features/accounts/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { withDatabase } from './run-command.ts'

const email = readArguments()

await withDatabase(async ({ db, database, log }) => {
  const done = await resetSecondFactor({ db, clock: systemClock }, email)
  if (!done) throw new UserFacingError(`${email} has no account.`)
  if (!done.hadOne) throw new UserFacingError(`${email} has no second factor. Nothing was changed.`)
  // The server sends the email, now or when it next runs.
  const jobs = createJobQueue({ connectionString: database.url, log })
  try {
    await jobs.enqueue('accounts.mail-second-factor', { userId: done.userId, change: 'reset' })
  } finally {
    await jobs.stop()
  }
  console.log(`Removed ${email}'s second factor and signed out all of their devices.`)
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
