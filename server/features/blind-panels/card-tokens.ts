import { createHash, randomBytes } from 'node:crypto'

/** 128 bits: nobody guesses one. */
export const newCardToken = (): string => randomBytes(16).toString('base64url')

/** What is kept of one. */
export const hashOfCard = (token: string): string => createHash('sha256').update(token).digest('base64url')
