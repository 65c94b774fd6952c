import { refusals } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'

/** Cleans a stream's decoder configuration and packets. An empty result means that the packet should be dropped. */
export type StreamFilter = { description: Uint8Array | undefined; filter(packet: Uint8Array): Uint8Array }

const damaged = () => new MediaRefused(refusals.damaged)

/**
 * H.264 NAL units that a decoder needs: slices, parameter sets and their extension. All others are dropped, because cameras write locations
 * and serial numbers into SEI (6), and vendors put their own data into unspecified types (24 to 31). Browsers play video without SEI, and
 * the parameter sets describe the colors.
 */
const avcUnits = new Set([1, 2, 3, 4, 5, 7, 8, 13])
const avcType = (unit: Uint8Array) => (unit[0] ?? 0) & 0x1f
const isNeeded = (unit: Uint8Array) => avcUnits.has(avcType(unit))

/** @throws MediaRefused if the configuration is damaged */
export function avcFilter(description: Uint8Array | undefined): StreamFilter {
  if (!description?.length) return { description: undefined, filter: (packet) => joinAnnexB(annexBUnits(packet).filter(isNeeded)) }
  const lengthSize = ((description[4] ?? 0) & 3) + 1
  return {
    description: avcConfig(description),
    filter: (packet) => joinPrefixed(prefixedUnits(packet, lengthSize).filter(isNeeded), lengthSize),
  }
}

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) with only parameter sets, cut off after its last field. */
function avcConfig(record: Uint8Array): Uint8Array {
  if (record.length < 7) throw damaged()
  const parts: Uint8Array[] = [record.subarray(0, 5)]
  let at = 5
  const copySets = (type: number, countMask: number) => {
    const header = record[at++] ?? 0
    const units: Uint8Array[] = []
    for (let left = header & countMask; left > 0; left--) {
      const length = readLength(record, at, 2)
      units.push(unitAt(record, at + 2, length))
      at += 2 + length
    }
    const needed = units.filter((unit) => avcType(unit) === type)
    parts.push(Uint8Array.of((header & ~countMask) | needed.length), joinPrefixed(needed, 2))
  }
  copySets(7, 0x1f)
  copySets(8, 0xff)
  // High profiles add chroma format, two bit depths and parameter set extensions. Old software omits them all.
  if (![66, 77, 88].includes(record[1] ?? 0) && record.length >= at + 4) {
    parts.push(record.subarray(at, at + 3))
    at += 3
    copySets(13, 0xff)
  }
  return Buffer.concat(parts)
}

function prefixedUnits(packet: Uint8Array, lengthSize: number): Uint8Array[] {
  const units: Uint8Array[] = []
  for (let at = 0; at < packet.length; ) {
    const length = readLength(packet, at, lengthSize)
    units.push(unitAt(packet, at + lengthSize, length))
    at += lengthSize + length
  }
  return units
}

function readLength(bytes: Uint8Array, at: number, size: number): number {
  if (at + size > bytes.length) throw damaged()
  let length = 0
  for (let i = at; i < at + size; i++) length = length * 256 + (bytes[i] as number)
  return length
}

function unitAt(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw damaged()
  return bytes.subarray(at, at + length)
}

function joinPrefixed(units: readonly Uint8Array[], lengthSize: number): Uint8Array {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(lengthSize)
      length.writeUIntBE(unit.length, 0, lengthSize)
      return [length, unit]
    }),
  )
}

/** Splits at start codes, which the encoder escapes within units. */
function annexBUnits(packet: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
  const units: Uint8Array[] = []
  const code = Buffer.of(0, 0, 1)
  for (let start = bytes.indexOf(code); start >= 0; ) {
    const next = bytes.indexOf(code, start + 3)
    units.push(bytes.subarray(start + 3, next < 0 ? bytes.length : next))
    start = next
  }
  return units
}

const joinAnnexB = (units: readonly Uint8Array[]): Uint8Array => Buffer.concat(units.flatMap((unit) => [Buffer.of(0, 0, 0, 1), unit]))

/** AV1 OBUs that a decoder needs: sequence and frame headers, tile groups, frames. Metadata (5) and padding (15) are dropped. */
const obuTypes = new Set([1, 3, 4, 6, 7])

/** Drops the configuration, because the new file's is derived from the codec string. */
export const av1Filter = (): StreamFilter => ({ description: undefined, filter: (packet) => Buffer.concat(neededObus(packet)) })

/** AV1 specification, 5.3. Returns each needed OBU with its header. */
function neededObus(packet: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = []
  for (let at = 0; at < packet.length; ) {
    const header = packet[at] as number
    let end = at + ((header & 0x04) === 0 ? 1 : 2)
    if ((header & 0x02) === 0) end = packet.length
    else {
      let size = 0
      let more = true
      for (let shift = 0; more && shift < 56; shift += 7) {
        const byte = packet[end++] ?? 0
        size += (byte & 0x7f) * 2 ** shift
        more = byte > 0x7f
      }
      end += size
    }
    if (end > packet.length) throw damaged()
    if (obuTypes.has((header >> 3) & 0x0f)) units.push(packet.subarray(at, end))
    at = end
  }
  return units
}

/** VP8 and VP9 have no field for user data, and decoders need no configuration. */
export const vpxFilter = (): StreamFilter => ({ description: undefined, filter: (packet) => packet })

export const unsupportedAudioMessage = 'This video’s audio doesn’t play in browsers. Send an MP4 with AAC audio, or a WebM.'

/**
 * AAC, ISO/IEC 14496-3. Overwrites user data before a packet's first sound element with zeros: data stream elements, fill elements with
 * text, comments in program configurations. Removing bytes instead would break later byte-aligned elements. Doesn't check elements after a
 * sound, because only decoding the sound reveals where it ends.
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
  if (type < 1 || type > 4) throw new MediaRefused(unsupportedAudioMessage)
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

/** Reads a program_config_element (4.4.1.1) and overwrites its comment. */
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

/** The channels determine OpusHead's length, and a packet's padding (RFC 6716, 3.2.5) is zeros. Anything else there is hidden data. */
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

/** Most significant bit first. Past the end, all bits are 0. */
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
