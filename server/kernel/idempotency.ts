import { createHash } from 'node:crypto'
import type { Tx } from '#server/db/connect.ts'
import { AppError } from './errors.ts'

export type IdempotencyKey = { key: string; fingerprint: string }

/**
 * Reads the `Idempotency-Key` header. The fingerprint ties it to the request's data: parsed, as bytes, or `undefined` without a body.
 * @throws AppError invalid_input for a key that is empty or too long
 */
export function idempotencyKey(header: string | string[] | undefined, path: string, body: unknown): IdempotencyKey | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || header.length < 1 || header.length > 200) {
    throw new AppError('invalid_input', { message: 'Idempotency-Key must have 1 to 200 characters.' })
  }
  const sent = Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null)
  const fingerprint = createHash('sha256').update(path).update('\0').update(sent).digest('base64url')
  return { key: header, fingerprint }
}

/**
 * Runs `write` once per key and account. A retry gets the stored response, and the same key with other data is refused. A concurrent second
 * call waits on the primary key until the first one's transaction ends.
 * @throws AppError idempotency_mismatch
 */
export async function once<Answer extends object>(
  tx: Tx,
  userId: string,
  idempotency: IdempotencyKey | null,
  now: Date,
  write: () => Promise<Answer>,
): Promise<Answer> {
  if (!idempotency) return write()
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key: idempotency.key, fingerprint: idempotency.fingerprint, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!claimed) {
    const stored = await tx
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'response'])
      .where('user_id', '=', userId)
      .where('key', '=', idempotency.key)
      .executeTakeFirstOrThrow()
    if (stored.fingerprint !== idempotency.fingerprint) throw new AppError('idempotency_mismatch')
    return stored.response as Answer
  }
  const answer = await write()
  await tx
    .updateTable('idempotency_keys')
    .set({ response: JSON.stringify(answer) })
    .where('user_id', '=', userId)
    .where('key', '=', idempotency.key)
    .execute()
  return answer
}
