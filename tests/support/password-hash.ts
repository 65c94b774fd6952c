import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { hashPassword } from '../../server/features/accounts/index.ts'

const hashes = new Map<string, Promise<string>>()

/** A real hash of each password, made once: the same for everybody who signs up with it. Made to be slow, it would be most of many tests. */
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

/** So it is with looking whether a password is the right one: the same key of the same password and salt, not computed again. */
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

/** Until the answered function is called, every password takes its time. */
export function hashEveryTime(): () => void {
  isRemembering = false
  return () => {
    isRemembering = true
  }
}
