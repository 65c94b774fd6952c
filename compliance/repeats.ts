import { unmask } from './unmask.ts'

/** In words. Different people write the same shorter texts: "Thank you", "Beautiful plant". */
const shortest = 12

const words = (text: string) => unmask(text).text.match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * A 64-bit simhash over word pairs, as 16 hexadecimal digits: similar texts differ in few bits, and the text can't be read from it. Null
 * for texts too short to be distinctive.
 */
export function fingerprint(text: string): string | null {
  const all = words(text)
  if (all.length < shortest) return null
  const votes = new Array<number>(64).fill(0)
  for (let i = 0; i + 1 < all.length; i++) {
    const [high, low] = hash64(`${all[i]} ${all[i + 1]}`)
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] as number) + ((high >>> bit) & 1 ? 1 : -1)
      votes[bit + 32] = (votes[bit + 32] as number) + ((low >>> bit) & 1 ? 1 : -1)
    }
  }
  let digits = ''
  for (let at = 0; at < 64; at += 4) {
    let nibble = 0
    for (let bit = 0; bit < 4; bit++) if ((votes[at + bit] as number) > 0) nibble |= 1 << bit
    digits += nibble.toString(16)
  }
  return digits
}

/** Two FNV-1a mixes. Not cryptographic. */
function hash64(text: string): [number, number] {
  let high = 0x811c9dc5
  let low = 0xc9dc5118
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193)
    low = Math.imul(low ^ text.charCodeAt(i), 0x85ebca6b)
    low ^= low >>> 13
  }
  return [mix(high), mix(low)]
}

function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Texts count as the same if at most this many of 64 bits differ. */
export const maxDifferentBits = 6

export function differentBits(a: string, b: string): number {
  let bits = 0
  for (let i = 0; i < 16; i++) {
    let different = Number.parseInt(a[i] as string, 16) ^ Number.parseInt(b[i] as string, 16)
    for (; different > 0; different >>= 1) bits += different & 1
  }
  return bits
}
