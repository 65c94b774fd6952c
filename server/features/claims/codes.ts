import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a code is for. Each new one has another number, so that the one before ends. */
export type CodeOf = { id: string; code_number: number; email: string | null; phone: string | null }

const digits = 6

/**
 * The six digits of a claim, worked out from a secret that is not in the database: nothing is stored that could be guessed back, and a
 * moderator can still read it out.
 */
export function codeOf(sessionSecret: string, { id, code_number, email, phone }: CodeOf): string {
  const key = createHmac('sha256', sessionSecret).update('codes of claims, 1').digest()
  const mac = createHmac('sha256', key)
    .update(JSON.stringify([id, code_number, email, phone]))
    .digest()
  // 48 bits over a million: no code is more likely than another by more than 1 in 100 million.
  return String(mac.readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0')
}

/** In the same time for every guess. */
export function isCodeOf(sessionSecret: string, claim: CodeOf, guess: string): boolean {
  const code = Buffer.from(codeOf(sessionSecret, claim))
  const guessed = Buffer.from(guess)
  return guessed.length === code.length && timingSafeEqual(guessed, code)
}
