import { createHash } from 'node:crypto'
import type { RateLimiter } from './rate-limit.ts'

/**
 * Counts a mail to an address, however many people ask for one; each kind of mail by itself. The address is hashed: the counts may
 * lie in a table.
 * @throws AppError too_many_requests
 */
export async function limitByRecipient(rateLimiter: RateLimiter, kind: 'claim' | 'invitation', email: string): Promise<void> {
  await rateLimiter.consume('mail-email', createHash('sha256').update(`${kind}:${email}`).digest('base64url'))
}
