import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { unseal } from './factor-secret.ts'
import { stepOf } from './one-time-codes.ts'
import { readRecoveryCode, spendRecoveryCode } from './recovery-codes.ts'
import { type Factor, lockFactor, markCodeRight, markCodeWrong } from './second-factor.queries.ts'
import { auditOwn } from './sign-in-news.ts'

const minute = 60_000
const mostWrong = 5
const wrongWindowMs = 15 * minute

/** How somebody showed who they are. */
export type Shown = { kind: 'app'; step: number } | { kind: 'recovery' }

type Outcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'wrong'; left: number }
  | { kind: 'locked'; until: number }
  | { kind: 'absent' }
  | { kind: 'unreadable' }

/** Which app's code is asked for: the one in use (or a recovery code), or the one that is being set up. */
type Which = 'used' | 'next'

/**
 * Does `work` if the code is right, in the transaction that spends it. Five wrong codes within a quarter of an hour, and none is looked
 * at until that is over; the last of them is mailed to the account's owner, because whoever guesses has the password already.
 * @throws AppError invalid_input (wrong), too_many_requests, conflict (nothing to compare with), unavailable (SESSION_SECRET is another)
 */
export async function withCode<Answer>(
  ctx: Context,
  actor: Actor,
  { code, which }: { code: string; which: Which },
  work: (tx: Tx, shown: Shown, factor: Factor) => Promise<Answer>,
): Promise<Answer> {
  const now = ctx.clock.now()
  // A wrong code is counted by a transaction that commits: what is thrown is thrown after it.
  const outcome = await inTransaction(ctx.db, async (tx): Promise<Outcome<Answer>> => {
    const factor = await lockFactor(tx, actor.id)
    if (!factor || (which === 'used' ? factor.confirmed_at : factor.next_secret) === null) return { kind: 'absent' }
    const window = wrongWindow(factor, now)
    if (window.count >= mostWrong) return { kind: 'locked', until: window.since.getTime() + wrongWindowMs }

    const shown = await check(ctx, tx, actor, { code, which, factor, now })
    if (shown === 'unreadable') return { kind: 'unreadable' }
    if (shown) {
      await markCodeRight(tx, actor.id, shown.kind === 'app' && which === 'used' ? shown.step : factor.last_step)
      return { kind: 'done', answer: await work(tx, shown, factor) }
    }
    const count = window.count + 1
    await markCodeWrong(tx, actor.id, { count, since: window.since })
    if (count === mostWrong) {
      await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'guessed' }, { tx })
      await auditOwn(ctx, tx, actor.id, 'second_factor.locked')
    }
    return { kind: 'wrong', left: mostWrong - count }
  })

  switch (outcome.kind) {
    case 'done':
      return outcome.answer
    case 'absent':
      throw new AppError('conflict', { message: which === 'used' ? 'This account has no second factor.' : 'Begin with the QR code again.' })
    case 'unreadable':
      throw new AppError('unavailable', { message: 'Codes of the app cannot be checked at the moment. Use a recovery code.' })
    case 'locked':
      throw locked(outcome.until - now.getTime())
    case 'wrong':
      throw outcome.left === 0 ? locked(wrongWindowMs) : wrong()
  }
}

function wrongWindow({ wrong_count, wrong_since }: Factor, now: Date): { count: number; since: Date } {
  const isOver = wrong_since === null || now.getTime() - wrong_since.getTime() >= wrongWindowMs
  return isOver ? { count: 0, since: now } : { count: wrong_count, since: wrong_since }
}

async function check(
  { config, log }: Context,
  tx: Tx,
  { id }: Actor,
  { code, which, factor, now }: { code: string; which: Which; factor: Factor; now: Date },
): Promise<Shown | 'unreadable' | null> {
  const recoveryCode = which === 'used' ? readRecoveryCode(code) : null
  if (recoveryCode !== null) return (await spendRecoveryCode(tx, id, recoveryCode, now)) ? { kind: 'recovery' } : null
  const secret = unseal(config, id, which === 'used' ? factor.secret : (factor.next_secret ?? ''))
  if (secret === null) {
    log.error({ userId: id }, 'a second factor was sealed under another SESSION_SECRET')
    return 'unreadable'
  }
  // Another app counts anew: its steps are no older ones of the app before.
  const step = await stepOf(secret, code.replace(/\s/g, ''), now, which === 'used' ? factor.last_step : 0)
  return step === null ? null : { kind: 'app', step }
}

function wrong(): AppError {
  const message = 'This code is not right, or was used already. Enter the one your app shows now.'
  return new AppError('invalid_input', { message, fields: { code: message } })
}

function locked(forMs: number): AppError {
  const minutes = Math.ceil(forMs / minute)
  return new AppError('too_many_requests', {
    message: `Five wrong codes. Wait ${minutes} minute${minutes === 1 ? '' : 's'}, then try again.`,
    retryAfterSeconds: Math.max(1, Math.ceil(forMs / 1000)),
  })
}
