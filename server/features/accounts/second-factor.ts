import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { recoveryCodeCount, type SecondFactorState } from '#contracts/sign-in.endpoints.ts'
import { minuteMs } from '#contracts/time.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor, Session } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { deleteSessionsOf, findAccountByEmail } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { auditOwn, lockAccount, lockOwnAccount, requireProof } from './proof.ts'
import {
  clearSecondFactorVerified,
  deleteFactor,
  type Factor,
  findProof,
  hasFactor,
  lockFactor,
  markCodeRight,
  markCodeWrong,
  markSecondFactorVerified,
  storeNextSecret,
  takeNextSecret,
} from './second-factor.queries.ts'

export async function getSecondFactor({ db }: Context, { actor, user }: Session): Promise<SecondFactorState> {
  const proof = await findProof(db, actor.id, actor.sessionId)
  return {
    isOn: await hasFactor(db, actor.id),
    isShown: user.secondFactor === 'shown' && actor.role === actor.grantedRole,
    recoveryCodesLeft: await countRecoveryCodes(db, actor.id),
    isRequired: actor.grantedRole !== 'member',
    hasPassword: proof?.password_hash != null,
  }
}

/**
 * Starts setting up an authenticator app, whether the first or a replacement. Nothing changes until `confirmSecondFactor`.
 * Moderators and admins must have confirmed the active factor first; otherwise a password alone could replace it and regain the role.
 * @throws AppError second_factor_required, anything `requireProof` throws
 */
export async function beginSecondFactor(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  password: string,
): Promise<{ uri: string; secret: string }> {
  if (actor.role !== actor.grantedRole && (await hasFactor(ctx.db, actor.id))) {
    throw new AppError('second_factor_required', { message: 'First enter a code from your current app on the admin page.' })
  }
  const { email } = await requireProof(ctx, auth, actor, password)
  const secret = newSecret()
  const sealed = seal(ctx.config, actor.id, secret)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnAccount(tx, actor)
    await storeNextSecret(tx, actor.id, sealed, ctx.clock.now())
  })
  return invitationTo(secret, ctx.brand.name, email)
}

/**
 * Turns the factor on, or switches to the new app. This session then counts as having confirmed it; the account's other sessions
 * must still do so.
 * @throws the same errors as `withCode`
 */
export async function confirmSecondFactor(ctx: Context, actor: Actor, code: string): Promise<string[]> {
  const now = ctx.clock.now()
  return withCode(ctx, actor, { code, which: 'next' }, async (tx, shown, factor) => {
    if (factor.next_secret === null || shown.kind !== 'app') throw new AppError('conflict')
    await takeNextSecret(tx, actor.id, { secret: factor.next_secret, step: shown.step }, now)
    const codes = await renewCodes(tx, actor.id)
    await clearSecondFactorVerified(tx, actor.id, actor.sessionId)
    await markSecondFactorVerified(tx, actor.sessionId, now)
    const change = factor.confirmed_at === null ? 'on' : 'replaced'
    await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change }, { tx })
    await auditOwn(ctx, tx, actor.id, change === 'on' ? 'second_factor.turned_on' : 'second_factor.replaced')
    return codes
  })
}

/** @throws the same errors as `withCode` */
export async function verifySecondFactor(ctx: Context, actor: Actor, code: string): Promise<void> {
  const now = ctx.clock.now()
  await withCode(ctx, actor, { code, which: 'used' }, async (tx, { kind }) => {
    await markSecondFactorVerified(tx, actor.sessionId, now)
    if (kind === 'recovery') await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'recovered' }, { tx })
    await auditOwn(ctx, tx, actor.id, kind === 'recovery' ? 'second_factor.recovery_used' : 'second_factor.shown')
  })
}

/** @throws the same errors as `withCode` */
export function renewRecoveryCodes(ctx: Context, actor: Actor, code: string): Promise<string[]> {
  return withCode(ctx, actor, { code, which: 'used' }, async (tx) => {
    const codes = await renewCodes(tx, actor.id)
    await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'renewed' }, { tx })
    await auditOwn(ctx, tx, actor.id, 'second_factor.codes_renewed')
    return codes
  })
}

/** @throws AppError forbidden for a moderator or admin, and anything that `requireProof` or `withCode` throws */
export async function turnOffSecondFactor(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  given: { password: string; code: string },
): Promise<void> {
  if (actor.grantedRole !== 'member') {
    throw new AppError('forbidden', { message: 'Moderators and admins need a second factor. You can switch to another app.' })
  }
  await requireProof(ctx, auth, actor, given.password)
  await withCode(ctx, actor, { code: given.code, which: 'used' }, async (tx) => {
    await deleteFactor(tx, actor.id)
    await clearSecondFactorVerified(tx, actor.id, null)
    await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'off' }, { tx })
    await auditOwn(ctx, tx, actor.id, 'second_factor.turned_off')
  })
}

/**
 * Lets the operator help a person who has lost the app and every recovery code. Deletes the factor and ends every session.
 * @returns the account's ID and whether it had a factor; null if the address has no account
 */
export async function resetSecondFactor(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  email: string,
): Promise<{ userId: string; hadOne: boolean } | null> {
  const account = await findAccountByEmail(db, email)
  if (!account) return null
  const hadOne = await inTransaction(db, async (tx) => {
    await lockAccount(tx, account.id)
    if (!(await deleteFactor(tx, account.id))) return false
    await deleteSessionsOf(tx, account.id)
    const entry = { actorId: null, action: 'second_factor.reset', subjectType: 'user', subjectId: account.id } as const
    await recordAudit(tx, { ...entry, at: clock.now() })
    return true
  })
  return { userId: account.id, hadOne }
}

const maxWrongCodes = 5
const wrongWindowMs = 15 * minuteMs

type VerifiedCode = { kind: 'app'; step: number } | { kind: 'recovery' }

type Outcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'wrong'; left: number }
  | { kind: 'locked'; until: number }
  | { kind: 'absent' }
  | { kind: 'unreadable' }

/** Which authenticator app to check: the active one (or a recovery code), or the one being set up. */
type Which = 'used' | 'next'

/**
 * Runs `work` if the code is right, in the transaction that spends the code. After five wrong codes within 15 minutes, codes are
 * not checked until that window ends. The fifth also emails the owner, because the person guessing has already signed in.
 * @throws AppError signed_out, invalid_input (wrong), too_many_requests, conflict (no factor to check), unavailable (SESSION_SECRET has
 * changed)
 */
async function withCode<Answer>(
  ctx: Context,
  actor: Actor,
  { code, which }: { code: string; which: Which },
  work: (tx: Tx, shown: VerifiedCode, factor: Factor) => Promise<Answer>,
): Promise<Answer> {
  const now = ctx.clock.now()
  // The transaction must commit to count a wrong code, so errors are thrown after it.
  const outcome = await inTransaction(ctx.db, async (tx): Promise<Outcome<Answer>> => {
    await lockOwnAccount(tx, actor)
    const factor = await lockFactor(tx, actor.id)
    if (!factor || (which === 'used' ? factor.confirmed_at : factor.next_secret) === null) return { kind: 'absent' }
    const window = wrongWindow(factor, now)
    if (window.count >= maxWrongCodes) return { kind: 'locked', until: window.since.getTime() + wrongWindowMs }

    const shown = await check(ctx, tx, actor, { code, which, factor, now })
    if (shown === 'unreadable') return { kind: 'unreadable' }
    if (shown) {
      await markCodeRight(tx, actor.id, shown.kind === 'app' && which === 'used' ? shown.step : factor.last_step)
      return { kind: 'done', answer: await work(tx, shown, factor) }
    }
    const count = window.count + 1
    await markCodeWrong(tx, actor.id, { count, since: window.since })
    if (count === maxWrongCodes) {
      await ctx.jobs.enqueue('accounts.mail-second-factor', { userId: actor.id, change: 'guessed' }, { tx })
      await auditOwn(ctx, tx, actor.id, 'second_factor.locked')
    }
    return { kind: 'wrong', left: maxWrongCodes - count }
  })

  switch (outcome.kind) {
    case 'done':
      return outcome.answer
    case 'absent':
      throw new AppError('conflict', { message: which === 'used' ? 'This account has no second factor.' : 'Start again with the QR code.' })
    case 'unreadable':
      throw new AppError('unavailable', { message: 'We can’t check codes from the app right now. Use a recovery code.' })
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
): Promise<VerifiedCode | 'unreadable' | null> {
  const recoveryCode = which === 'used' ? readRecoveryCode(code) : null
  if (recoveryCode !== null) return (await spendRecoveryCode(tx, id, recoveryCode, now)) ? { kind: 'recovery' } : null
  const secret = unseal(config, id, which === 'used' ? factor.secret : (factor.next_secret ?? ''))
  if (secret === null) {
    log.error({ userId: id }, 'a second factor was encrypted with a different SESSION_SECRET')
    return 'unreadable'
  }
  // A new app's steps are unrelated to the previous app's.
  const step = stepOf(secret, code.replace(/\s/g, ''), now, which === 'used' ? factor.last_step : 0)
  return step === null ? null : { kind: 'app', step }
}

function wrong(): AppError {
  const message = 'This code is wrong or was already used. Enter the one your app shows now.'
  return new AppError('invalid_input', { message, fields: { code: message } })
}

function locked(forMs: number): AppError {
  const minutes = Math.ceil(forMs / minuteMs)
  return new AppError('too_many_requests', {
    message: `Five wrong codes. Wait ${minutes} minute${minutes === 1 ? '' : 's'}, then try again.`,
    retryAfterSeconds: Math.max(1, Math.ceil(forMs / 1000)),
  })
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

const keyOf = ({ sessionSecret }: Pick<Config, 'sessionSecret'>) => Buffer.from(hkdfSync('sha256', sessionSecret, '', 'second factor', 32))

/** AES-256-GCM with a key derived from SESSION_SECRET. The user ID is authenticated, so a row copied to another account can't be opened. */
export function seal(config: Pick<Config, 'sessionSecret'>, userId: string, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(config), nonce).setAAD(Buffer.from(userId))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Null if it was sealed under another SESSION_SECRET or for another account, or has been altered. */
export function unseal(config: Pick<Config, 'sessionSecret'>, userId: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, keyOf(config), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

// TOTP codes (RFC 6238) with the parameters that every app supports: six digits, SHA-1, 30 seconds.

const stepMs = 30_000
/** Tolerates a device clock that is 30 seconds off either way. */
const toleratedSteps = [0, -1, 1]

export const stepAt = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** 144 bits (RFC 4226 requires at least 128), as text whose bytes are the key. */
export const newSecret = (): string => randomBytes(18).toString('base64url')

/** RFC 4226, 5.3: takes four bytes at the offset in the last byte's low four bits, without the sign bit. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const truncated = digest.readUInt32BE(digest.readUInt8(digest.length - 1) & 0xf) & 0x7fff_ffff
  return String(truncated % 1_000_000).padStart(6, '0')
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, as apps expect it. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (group) => base32Alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
}

export function invitationTo(secret: string, issuer: string, account: string): { uri: string; secret: string } {
  const typed = base32(Buffer.from(secret))
  const query = new URLSearchParams({ secret: typed, issuer, digits: '6', period: String(stepMs / 1000) })
  return { uri: `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`, secret: typed }
}

/**
 * The time step of a code, or null. Steps up to `lastStep` are spent, so an observed code can't be reused.
 * Compares all tolerated steps in constant time.
 */
export function stepOf(secret: string, code: string, now: Date, lastStep: number): number | null {
  const given = Buffer.from(code.padEnd(6).slice(0, 6), 'latin1')
  let found: number | null = null
  for (const offset of toleratedSteps) {
    const step = stepAt(now) + offset
    const isRight = timingSafeEqual(given, Buffer.from(codeAt(secret, step), 'latin1'))
    if (isRight && code.length === 6 && step > lastStep) found ??= step
  }
  return found
}

/** Crockford's base32, without letters that look like digits. 16 characters encode 80 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const signs = 16

/** A code such as `7K3M-9XQ2-H4TN-BW8D`. */
function newCode(): string {
  const code = [...randomBytes(signs)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return (code.match(/.{4}/g) as string[]).join('-')
}

/** Normalizes typed input: hyphens, lower case, O for 0, I or L for 1. Null if it is not a recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === signs && [...code].every((sign) => alphabet.includes(sign)) ? code : null
}

/** 80 random bits don't need a slow hash. */
const hashOf = (code: string) => hash('sha256', code, 'base64url')

async function renewCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code.replaceAll('-', '')) })))
    .execute()
  return codes
}

/** `code` is normalized by `readRecoveryCode`. Only one of two concurrent calls returns true. */
async function spendRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const countRecoveryCodes = (db: Db, userId: string): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId).where('used_at', 'is', null))
