import { refusals } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import type { StreamFilter } from './video-user-data.ts'

export const soundRefused = "The sound of this video doesn't play in browsers. Send an MP4 with AAC sound, or a WebM."

/**
 * AAC, ISO/IEC 14496-3: overwrites with zeros everything before a packet's first sound element (data stream elements, fill elements
 * with text, comments in program configurations). In place, because later elements may be byte-aligned. Elements after a sound are
 * not checked, because only decoding the sound tells where it ends.
 * @throws MediaRefused for kinds of AAC that browsers don't play
 */
export function aacFilter(description: Uint8Array | undefined): StreamFilter {
  if (!description) throw new MediaRefused(refusals.damaged)
  return { description: aacConfig(description.slice()), filter: (packet) => withoutLeadingData(packet.slice()) }
}

/** AudioSpecificConfig, cut off after its last field. */
function aacConfig(config: Uint8Array): Uint8Array {
  const bits = new Bits(config)
  const readType = () => {
    const type = bits.read(5)
    return type === 31 ? 32 + bits.read(6) : type
  }
  const skipFrequency = () => {
    if (bits.read(4) === 15) bits.read(24)
  }
  let type = readType()
  skipFrequency()
  const channels = bits.read(4)
  // HE-AAC wraps SBR and parametric stereo around the base type.
  const isExplicit = type === 5 || type === 29
  if (isExplicit) {
    skipFrequency()
    type = readType()
  }
  if (type < 1 || type > 4) throw new MediaRefused(soundRefused)
  bits.read(1)
  if (bits.read(1)) bits.read(14)
  bits.read(1)
  if (channels === 0) clearComment(bits)
  if (!isExplicit && bits.left >= 16 && bits.peek(11) === 0x2b7) {
    bits.read(11)
    if (readType() === 5 && bits.read(1)) {
      skipFrequency()
      if (bits.left >= 12 && bits.peek(11) === 0x548) bits.read(12)
    }
  }
  return config.subarray(0, Math.ceil(bits.at / 8))
}

const [dataStream, programConfig, fill] = [4, 5, 6]
/** Extensions that a decoder uses: dynamic range, surround and SBR. */
const neededExtensions = new Set([11, 12, 13, 14])

function withoutLeadingData(packet: Uint8Array): Uint8Array {
  const bits = new Bits(packet)
  while (bits.left >= 7) {
    const element = bits.read(3)
    if (element === dataStream) {
      bits.read(4)
      const isAligned = bits.read(1) === 1
      const first = bits.read(8)
      const count = first === 255 ? 255 + bits.read(8) : first
      if (isAligned) bits.align()
      bits.clear(8 * count)
    } else if (element === programConfig) clearComment(bits)
    else if (element === fill) {
      const first = bits.read(4)
      const count = first === 15 ? 14 + bits.read(8) : first
      if (count > 0 && neededExtensions.has(bits.peek(4))) bits.skip(8 * count)
      else bits.clear(8 * count)
    } else break
  }
  return packet
}

/** A program_config_element (4.4.1.1) with its comment overwritten. */
function clearComment(bits: Bits): void {
  bits.read(10)
  const [front, side, back, lfe, data, coupling] = [bits.read(4), bits.read(4), bits.read(4), bits.read(2), bits.read(3), bits.read(4)]
  if (bits.read(1)) bits.read(4)
  if (bits.read(1)) bits.read(4)
  if (bits.read(1)) bits.read(3)
  bits.skip(5 * (front + side + back + coupling) + 4 * (lfe + data))
  bits.align()
  bits.clear(8 * bits.read(8))
}

/** OpusHead has a fixed length, and a packet's padding (RFC 6716, 3.2.5) is zeros; anything else there is hidden data. */
export const opusFilter = (description: Uint8Array | undefined): StreamFilter => ({
  description: description?.subarray(0, description[18] ? 21 + (description[9] ?? 0) : 19),
  filter: (packet) => withoutPadding(packet.slice()),
})

function withoutPadding(packet: Uint8Array): Uint8Array {
  const [toc = 0, frames = 0] = packet
  if ((toc & 3) !== 3 || (frames & 0x40) === 0) return packet
  let at = 2
  let padding = 0
  for (let more = true; more; ) {
    const byte = packet[at++] ?? 0
    more = byte === 255
    padding += more ? 254 : byte
  }
  return packet.fill(0, Math.max(at, packet.length - padding))
}

/** Reads bits, most significant first. Past the end, all bits are 0. */
class Bits {
  at = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  get left(): number {
    return 8 * this.#bytes.length - this.at
  }
  peek(count: number): number {
    let value = 0
    for (let i = this.at; i < this.at + count; i++) value = value * 2 + (((this.#bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1)
    return value
  }
  read(count: number): number {
    const value = this.peek(count)
    this.at += count
    return value
  }
  skip(count: number): void {
    this.at += count
  }
  align(): void {
    this.at = 8 * Math.ceil(this.at / 8)
  }
  clear(count: number): void {
    const end = Math.min(this.at + count, 8 * this.#bytes.length)
    for (let i = this.at; i < end; i++) this.#bytes[i >> 3] = (this.#bytes[i >> 3] ?? 0) & ~(0x80 >> (i & 7))
    this.at += count
  }
}
