import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/**
 * Every stored hash was made with these parameters and doesn't name them, so changing one makes all passwords wrong. They need
 * 16 MiB per hash; `maxmem` must be above that.
 */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
const keyBytes = 64
const saltBytes = 16

/** Runs in libuv's thread pool. The key is derived from the salt's hex text, not from its bytes. */
const keyOf = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** @returns `salt:key`, both in hex */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes).toString('hex')
  return `${salt}:${(await keyOf(password, salt)).toString('hex')}`
}

/** @throws Error if the hash isn't one of ours */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt, key] = hash.split(':')
  const expected = Buffer.from(key ?? '', 'hex')
  if (!salt || expected.length !== keyBytes) throw new Error('a stored password hash is malformed')
  return timingSafeEqual(await keyOf(password, salt), expected)
}
