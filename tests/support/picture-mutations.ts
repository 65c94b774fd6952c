import { formats, pictureWithSecrets } from './pictures.ts'

type Random = () => number

/** Numbers from 0 to 1, reproducible from the seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Pictures of every supported format in three sizes, with metadata. */
export async function realPictures(): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  for (const format of formats) {
    for (const [width, height] of [
      [96, 64],
      [33, 120],
      [200, 150],
    ] as const) {
      pictures.push(await pictureWithSecrets(format, width, height))
    }
  }
  return pictures
}

/** One of the pictures, intact or damaged in one to three ways. */
export function mutant(pictures: readonly Buffer[], random: Random): Buffer {
  const below = (max: number) => Math.floor(random() * max)
  const any = () => pictures[below(pictures.length)] as Buffer
  const mutations: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.subarray(0, below(bytes.length)),
    (bytes) => flip(bytes, 1 + below(3), bytes.length),
    (bytes) => flip(bytes, 1 + below(20), bytes.length),
    // Damages only the beginning, which decoders interpret most.
    (bytes) => flip(bytes, 1 + below(6), Math.min(bytes.length, 400)),
    (bytes) => {
      const [from, length, to] = [below(bytes.length), below(200), below(bytes.length)]
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, from + length), bytes.subarray(to)])
    },
    (bytes) => {
      const [from, length] = [below(bytes.length), below(60)]
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
    },
    (bytes) => {
      const other = any()
      return Buffer.concat([bytes.subarray(0, below(bytes.length)), other.subarray(below(other.length))])
    },
    (bytes) => Buffer.concat([bytes, any()]),
  ]
  const flip = (bytes: Buffer, times: number, within: number) => {
    const copy = Buffer.from(bytes)
    for (let i = 0; i < times && within > 0; i++) copy[below(within)] = below(256)
    return copy
  }
  let bytes = any()
  if (random() < 0.05) return bytes
  for (let i = 1 + below(3); i > 0; i--) bytes = (mutations[below(mutations.length)] as (bytes: Buffer) => Buffer)(bytes)
  return bytes
}
