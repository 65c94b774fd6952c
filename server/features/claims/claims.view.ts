import { type Claim, codeAttempts } from '#contracts/claims.ts'
import type { ClaimRow } from './claims.queries.ts'

/** Code emails per claim. */
export const maxMails = 3

export const isCodeExpired = (claim: Pick<ClaimRow, 'code_expires_at'>, now: Date): boolean =>
  claim.code_expires_at !== null && claim.code_expires_at <= now

export const toClaim = (row: ClaimRow, now: Date): Claim => ({
  id: row.id,
  businessId: row.business_id,
  verificationId: row.verification_id,
  method: row.method,
  status: row.status,
  isDispute: row.is_dispute,
  email: row.email,
  phone: row.phone,
  codeExpiresAt: row.code_expires_at?.toISOString() ?? null,
  isCodeExpired: isCodeExpired(row, now),
  attemptsLeft: codeAttempts - row.attempts,
  canResend: row.status === 'open' && row.method === 'email' && row.code_number < maxMails,
  statement: row.statement,
  closedBecause: row.closed_because,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
})
