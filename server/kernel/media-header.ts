import { fileRefusals, maxDocumentBytes, maxImageBytes } from '#contracts/media.rules.ts'
import { MediaRefused } from './media-maker.ts'

/** Detected from a file's first bytes, regardless of its name or content type. */
export type MediaFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'mp4' | 'webm' | 'pdf'

export type Header = {
  format: MediaFormat
  kind: 'image' | 'video' | 'document'
  width: number | null
  height: number | null
  frames: number
}

export const maxPixels = 40_000_000
/** Only the first frame of an animation is used, but scanning the others also has a cost. */
const maxAnimatedPixels = 400_000_000

export const refusals = {
  unknown: fileRefusals.unknown,
  heic: fileRefusals.heic,
  damaged: 'This file is damaged or incomplete. Send it again, or choose another one.',
  heavy: `A picture can be up to ${maxImageBytes / 1024 / 1024} MB. Make it smaller and send it again.`,
  heavyDocument: `A PDF can be up to ${maxDocumentBytes / 1024 / 1024} MB. Make it smaller and send it again.`,
  animated: 'This animation is too long or too large. Send a shorter one, or a still picture.',
  pixels: (pixels: number) =>
    `This picture has ${Math.ceil(pixels / 1e6).toLocaleString('en-US')} megapixels. The limit is ${maxPixels / 1e6}. Make it smaller and send it again.`,
}

/**
 * Reads a file's header without decoding anything, so a decompression bomb is refused before a decoder sees it. `head` may be the whole
 * file. Anything it doesn't contain (a size that comes later) is null and left to the decoder's limits.
 * @throws MediaRefused for formats that can't be shown here, and for files that are too large
 */
export function readHeader(head: Buffer, byteSize: number): Header {
  const format = formatOf(head)
  if (format === null) throw new MediaRefused(refusals.unknown)
  if (format === 'heic') throw new MediaRefused(refusals.heic)
  if (format === 'mp4' || format === 'webm') return { format, kind: 'video', width: null, height: null, frames: 1 }
  if (format === 'pdf') {
    if (byteSize > maxDocumentBytes) throw new MediaRefused(refusals.heavyDocument)
    return { format, kind: 'document', width: null, height: null, frames: 1 }
  }
  if (byteSize > maxImageBytes) throw new MediaRefused(refusals.heavy)
  const { width = 0, height = 0, frames = 1 } = sizeReaders[format](head) ?? {}
  if (width * height > maxPixels) throw new MediaRefused(refusals.pixels(width * height))
  if (frames > 1 && width * height * frames > maxAnimatedPixels) throw new MediaRefused(refusals.animated)
  return { format, kind: 'image', width: width || null, height: height || null, frames }
}

const ascii = (bytes: Buffer, start: number, end: number) => bytes.toString('latin1', start, end)

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'])
/** First boxes of QuickTime files without a type box. */
const quickTimeBoxes = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

export function formatOf(head: Buffer): MediaFormat | null {
  if (head.length < 12) return null
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg'
  if (head.readUInt32BE(0) === 0x89504e47 && head.readUInt32BE(4) === 0x0d0a1a0a) return 'png'
  if (/^GIF8[79]a$/.test(ascii(head, 0, 6))) return 'gif'
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'webp'
  if (head.readUInt32BE(0) === 0x1a45dfa3) return 'webm'
  // Only at the very start, because a file that starts as something else may be hiding content.
  if (/^%PDF-[12]\.\d/.test(ascii(head, 0, 8))) return 'pdf'
  const box = ascii(head, 4, 8)
  if (box === 'ftyp') {
    const brands = brandsOf(head)
    if (brands.includes('avif') || brands.includes('avis')) return 'avif'
    return heicBrands.has(brands[0] ?? '') ? 'heic' : 'mp4'
  }
  return quickTimeBoxes.has(box) ? 'mp4' : null
}

/** The major brand, then the compatible ones. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length, 256)
  const brands = [ascii(head, 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(ascii(head, at, at + 4))
  return brands
}

type Size = { width: number; height: number; frames?: number }

const sizeReaders: Record<'jpeg' | 'png' | 'webp' | 'gif' | 'avif', (head: Buffer) => Size | null> = {
  jpeg: jpegSize,
  png: (head) => (head.length >= 24 ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : null),
  webp: webpSize,
  gif: gifSize,
  avif: avifSize,
}

function jpegSize(head: Buffer): Size | null {
  for (let at = 2; at + 9 < head.length; ) {
    if (head[at] !== 0xff) return null
    const marker = head[at + 1] as number
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    at += isBare ? 2 : 2 + Math.max(2, head.readUInt16BE(at + 2))
  }
  return null
}

function webpSize(head: Buffer): Size | null {
  if (head.length < 30) return null
  const chunk = ascii(head, 12, 16)
  if (chunk === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1, frames: countWebpFrames(head) }
  if (chunk === 'VP8 ') return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  if (chunk !== 'VP8L') return null
  const bits = head.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function countWebpFrames(head: Buffer): number {
  let frames = 0
  for (let at = 12; at + 8 <= head.length; ) {
    if (ascii(head, at, at + 4) === 'ANMF') frames++
    const length = head.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return Math.max(1, frames)
}

/** The canvas, or the largest frame if larger, and the number of frames. */
function gifSize(head: Buffer): Size {
  let width = head.readUInt16LE(6)
  let height = head.readUInt16LE(8)
  let frames = 0
  const colorTable = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const skipBlocks = (from: number) => {
    let at = from
    while (at < head.length && head[at] !== 0) at += 1 + (head[at] as number)
    return at + 1
  }
  for (let at = 13 + colorTable(head[10] as number); at + 10 < head.length; ) {
    if (head[at] === 0x21) at = skipBlocks(at + 2)
    else if (head[at] === 0x2c) {
      frames++
      width = Math.max(width, head.readUInt16LE(at + 1) + head.readUInt16LE(at + 5))
      height = Math.max(height, head.readUInt16LE(at + 3) + head.readUInt16LE(at + 7))
      at = skipBlocks(at + 11 + colorTable(head[at + 9] as number))
    } else break
  }
  return { width, height, frames: Math.max(1, frames) }
}

function avifSize(head: Buffer): Size | null {
  let largest: Size | null = null
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
