import { createHash } from 'node:crypto'
import type { RateLimiter } from './rate-limit.ts'

/**
 * Limits mails to an address, however many people request them, separately per kind of mail. The address is hashed, because the counts
 * may be stored in a table.
 * @throws AppError too_many_requests
 */
export async function limitByRecipient(rateLimiter: RateLimiter, kind: 'claim' | 'invitation', email: string): Promise<void> {
  await rateLimiter.consume('mail-email', createHash('sha256').update(`${kind}:${email}`).digest('base64url'))
}
