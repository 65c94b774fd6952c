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
