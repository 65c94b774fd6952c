import { createHmac, randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Context } from '#server/kernel/context.ts'

/**
 * A browser that has signed in to an account gets a signed device cookie (OWASP's term) that outlives its sessions. It grants
 * nothing; attempts with it are only counted separately from strangers' attempts (see `limits.ts`). Nothing is stored here.
 */
type Ctx = Pick<Context, 'config' | 'brand'>

/** Accounts per browser; the oldest is dropped first. */
const maxAccounts = 5
/** The longest lifetime that browsers allow. */
const maxAgeSeconds = 400 * 86_400

const isSecure = (ctx: Ctx) => ctx.config.publicUrl.startsWith('https:')
const cookieName = (ctx: Ctx) => `${isSecure(ctx) ? '__Host-' : ''}${ctx.brand.slug}.device`

const signatureOf = (ctx: Ctx, id: string, email: string) =>
  createHmac('sha256', ctx.config.sessionSecret).update(`device ${id} ${email}`).digest('base64url')

function read(ctx: Ctx, cookieHeader: string | undefined): { id: string; signatures: string[] } | null {
  const [id = '', ...signatures] = (parseCookie(cookieHeader ?? '')[cookieName(ctx)] ?? '').split('.')
  return /^[\w-]{22}$/.test(id) ? { id, signatures } : null
}

/** The browser's device ID, if it has signed in to this address's account before. */
export function knownDevice(ctx: Ctx, cookieHeader: string | undefined, email: string): string | null {
  const device = read(ctx, cookieHeader)
  return device?.signatures.includes(signatureOf(ctx, device.id, email)) ? device.id : null
}

/** The `Set-Cookie` value that makes a browser known after signing in. */
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
    secure: isSecure(ctx),
  })
}
