import { createHash, createHmac, randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Actor } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { cookiePrefix } from './session-token.ts'

export type Origin = { ip: string; cookie: string | undefined }

/** Emails are hashed, because the counts may be stored in a table. */
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join(' ')).digest('base64url')

/**
 * Counts a sign-in attempt for an email address, whether or not it has an account. Attempts by strangers are counted by address
 * and network and, to stop distributed guessing, in total per address. A browser that has signed in to the account before has
 * its own budget, so strangers can't lock the owner out.
 * @returns a function that refunds the attempt; call it if the password was right
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
 * Counts a password attempt in an open session. Only that session is limited, so guesses elsewhere don't lock the owner out.
 * @throws AppError too_many_requests
 */
export const limitProof = (ctx: Context, actor: Actor): Promise<void> =>
  ctx.rateLimiter.consume('sign-in-email', keyOf('session', actor.sessionId))

/**
 * Counts an email requested by a signed-out visitor.
 * @returns false if the address has had enough mail this hour: send nothing, but respond as usual
 * @throws AppError too_many_requests if this network or known browser has requested too many
 */
export async function consumeMailLimit(ctx: Context, email: string, origin: Origin): Promise<boolean> {
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

/** @throws AppError too_many_requests */
export const limitOwnMail = (ctx: Context, key: string): Promise<void> => ctx.rateLimiter.consume('mail-email', keyOf('account', key))

type Ctx = Pick<Context, 'config' | 'brand'>

/** Accounts per browser; the one signed in to longest ago is dropped first. */
const maxAccounts = 5
/** The longest lifetime that browsers allow. */
const maxAgeSeconds = 400 * 86_400

const cookieName = ({ config, brand }: Ctx) => `${cookiePrefix(config)}${brand.slug}.device`

const signatureOf = (ctx: Ctx, id: string, email: string) =>
  createHmac('sha256', ctx.config.sessionSecret).update(`device ${id} ${email}`).digest('base64url')

function read(ctx: Ctx, cookieHeader: string | undefined): { id: string; signatures: string[] } | null {
  const [id = '', ...signatures] = (parseCookie(cookieHeader ?? '')[cookieName(ctx)] ?? '').split('.')
  return /^[\w-]{22}$/.test(id) ? { id, signatures } : null
}

function knownDevice(ctx: Ctx, cookieHeader: string | undefined, email: string): string | null {
  const device = read(ctx, cookieHeader)
  return device?.signatures.includes(signatureOf(ctx, device.id, email)) ? device.id : null
}

/**
 * A browser that has signed in to an account gets a signed device cookie (OWASP's term) that outlives its sessions. It grants
 * nothing; attempts with it are only counted separately from strangers' attempts. The server stores nothing.
 * @returns the `Set-Cookie` value
 */
export function rememberDevice(ctx: Ctx, cookieHeader: string | undefined, email: string): string {
  const { id, signatures } = read(ctx, cookieHeader) ?? { id: randomBytes(16).toString('base64url'), signatures: [] }
  const own = signatureOf(ctx, id, email)
  const value = [id, own, ...signatures.filter((each) => each !== own)].slice(0, 1 + maxAccounts).join('.')
  return stringifySetCookie({
    name: cookieName(ctx),
    value,
    path: '/',
    maxAge: maxAgeSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.isHttps,
  })
}
