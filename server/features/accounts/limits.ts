import { createHash } from 'node:crypto'
import type { Actor } from '../../kernel/actor.ts'
import { addressGroup } from '../../kernel/client-address.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { knownDevice } from './known-devices.ts'

/** Where an attempt comes from. */
export type Origin = { ip: string; cookie: string | undefined }

/** Emails are hashed: the counts may lie in a table. */
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join(' ')).digest('base64url')

/**
 * Counts an attempt to sign in to an email address, whether or not it has an account. Strangers are counted by address and network, with
 * a total for guesses spread over many machines. A browser that has signed in to the account before has a budget of its own, so that no
 * stranger can keep its owner out.
 * @returns gives the attempt back; call it when the password was right
 * @throws AppError too_many_requests
 */
export async function limitSignIn(ctx: Context, email: string, origin: Origin): Promise<() => Promise<void>> {
  const device = knownDevice(ctx, origin.cookie, email)
  const counted: [Parameters<typeof ctx.rateLimiter.consume>[0], string][] = device
    ? [['sign-in-email', keyOf('device', device, email)]]
    : [
        ['sign-in-email', keyOf('network', addressGroup(origin.ip), email)],
        ['sign-in-email-total', keyOf(email)],
      ]
  for (const [allowance, key] of counted) await ctx.rateLimiter.consume(allowance, key)
  return async () => {
    for (const [allowance, key] of counted) await ctx.rateLimiter.giveBack(allowance, key)
  }
}

/**
 * Counts an attempt to enter the password in an open session. Only that session is counted: guesses elsewhere don't lock its owner out.
 * @throws AppError too_many_requests
 */
export const limitProof = (ctx: Context, actor: Actor): Promise<void> =>
  ctx.rateLimiter.consume('sign-in-email', keyOf('session', actor.sessionId))

/**
 * Counts a mail to an address that someone who isn't signed in asks for.
 * @returns false when the address has had enough mail in this hour: send nothing, and answer as usual
 * @throws AppError too_many_requests when this network, or this known browser, has asked too often
 */
export async function mayMail(ctx: Context, email: string, origin: Origin): Promise<boolean> {
  const device = knownDevice(ctx, origin.cookie, email)
  await ctx.rateLimiter.consume('mail-email', device ? keyOf('device', device, email) : keyOf('network', addressGroup(origin.ip), email))
  if (device) return true
  try {
    await ctx.rateLimiter.consume('mail-email-total', keyOf(email))
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return false
    throw error
  }
}

/**
 * Counts a mail that an account asks for.
 * @throws AppError too_many_requests
 */
export const limitOwnMail = (ctx: Context, key: string): Promise<void> => ctx.rateLimiter.consume('mail-email', keyOf('account', key))
