import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { hashPassword } from '#server/features/accounts/index.ts'

const hashes = new Map<string, Promise<string>>()

/**
 * A real hash of each password, computed once and shared by everyone who signs up with it, because slow hashing would dominate many tests.
 */
export function rememberedHash(password: string): Promise<string> {
  const known = hashes.get(password)
  if (known) return known
  const made = hashPassword(password)
  hashes.set(password, made)
  return made
}

type Scrypt = (password: string, salt: string, length: number, options: object, done: (error: Error | null, key: Buffer) => void) => void

const scrypt = crypto.scrypt as Scrypt
const keys = new Map<string, Buffer>()
let isRemembering = true

/** Scrypt for verification. Caches the derived key for each password and salt. */
const rememberedScrypt: Scrypt = (password, salt, length, options, done) => {
  const name = JSON.stringify([password, salt, length, options])
  const known = isRemembering && keys.get(name)
  if (known) return void setImmediate(done, null, known)
  scrypt(password, salt, length, options, (error, key) => {
    if (!error) keys.set(name, key)
    done(error, key)
  })
}
Object.assign(crypto, { scrypt: rememberedScrypt })
syncBuiltinESMExports()

/** Disables the cache until the returned function is called. */
export function hashEveryTime(): () => void {
  isRemembering = false
  return () => {
    isRemembering = true
  }
}
