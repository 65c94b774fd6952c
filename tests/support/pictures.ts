import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Text in the metadata of these pictures. Nothing produced from them may contain it. */
export const canary = 'CANARY-7f3a'

type Format = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${canary}" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="39,44.3N"/></rdf:RDF></x:xmpmeta>`

const exif = {
  IFD0: { Artist: canary, Copyright: canary, ImageDescription: canary, Make: canary, Model: canary },
  IFD2: { UserComment: canary, DateTimeOriginal: '2026:11:21 10:00:00' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '39/1 44/1 20/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '104/1 59/1 5/1',
    GPSAreaInformation: canary,
  },
}

const scene = async (width: number, height: number): Promise<Sharp> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const half = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#2f7d4f' } }
  const ground = sharp({ create: { width, height, channels: 3, background: '#808080', noise } }).composite([
    { input: half, left: 0, top: 0 },
  ])
  return sharp(await ground.png().toBuffer())
}

/** A phone picture with metadata that must not be shown: location, names, times, comments. */
export async function pictureWithSecrets(format: Format, width = 96, height = 64): Promise<Buffer> {
  const picture = (await scene(width, height)).withMetadata({ orientation: 6 }).withExifMerge(exif).withXmp(xmp)
  switch (format) {
    case 'jpeg':
      return withJpegComment(await picture.jpeg({ quality: 85 }).toBuffer())
    case 'png':
      return withPngChunks(await picture.png().toBuffer())
    case 'webp':
      return picture.webp().toBuffer()
    case 'avif':
      return picture.avif({ effort: 0 }).toBuffer()
    case 'gif':
      return withGifComment(await picture.gif().toBuffer())
  }
}

export const formats: readonly Format[] = ['jpeg', 'png', 'webp', 'avif', 'gif']

/** A comment, and Photoshop's block with names (IPTC). */
function withJpegComment(jpeg: Buffer): Buffer {
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  const iptc = Buffer.concat([Buffer.from([0x1c, 2, 80, 0, canary.length]), Buffer.from(canary)])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(iptc.length)
  const photoshop = Buffer.concat([Buffer.from('Photoshop 3.0\0' + '8BIM\x04\x04\0\0', 'latin1'), size, iptc])
  return Buffer.concat([jpeg.subarray(0, 2), segment(0xfe, Buffer.from(canary)), segment(0xed, photoshop), jpeg.subarray(2)])
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(content.length)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

function withPngChunks(png: Buffer): Buffer {
  const afterHeader = 33
  return Buffer.concat([
    png.subarray(0, afterHeader),
    pngChunk('tEXt', Buffer.from(`Author\0${canary}`)),
    pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(canary)])),
    pngChunk('iTXt', Buffer.from(`Location\0\0\0en\0\0${canary}`)),
    pngChunk('tIME', Buffer.from([7, 0xea, 11, 21, 10, 0, 0])),
    png.subarray(afterHeader),
  ])
}

function withGifComment(gif: Buffer): Buffer {
  const flags = gif[10] as number
  const afterTable = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, canary.length]), Buffer.from(canary), Buffer.from([0])])
  return Buffer.concat([gif.subarray(0, afterTable), comment, gif.subarray(afterTable)])
}

/** Metadata left in a picture; empty if it is clean. */
export async function secretsIn(picture: Uint8Array): Promise<string[]> {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength)
  const found = [canary, '<x:xmpmeta', 'Exif\0\0', 'Photoshop 3.0'].filter((text) => bytes.includes(text))
  if (bytes.includes(Buffer.from(canary, 'utf16le'))) found.push('canary in UTF-16')
  const metadata = await sharp(bytes).metadata()
  for (const kind of ['exif', 'xmp', 'iptc', 'icc', 'tifftagPhotoshop', 'comments', 'orientation'] as const) {
    if (metadata[kind] !== undefined) found.push(kind)
  }
  return found
}

/** Pictures of a few hundred bytes that claim to be 50,000 × 50,000 pixels. */
export function bombs(side = 50_000): Record<'png' | 'gif' | 'webp' | 'jpeg' | 'avif', Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7), Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 1, 0, 0, 0x3b])])
  for (const at of [6, 8, 18, 20]) gif.writeUInt16LE(Math.min(side, 65_535), at)
  // Only the extended header, which has 24 bits per dimension, claims the size.
  const webp = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
    Buffer.alloc(10),
    Buffer.from('VP8L\x10\0\0\0', 'latin1'),
    Buffer.alloc(16),
  ])
  webp.writeUIntLE(side - 1, 24, 3)
  webp.writeUIntLE(side - 1, 27, 3)
  webp.writeUInt32LE(webp.length - 8, 4)
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9, 0, 0, 0])
  jpeg.writeUInt16BE(side, 7)
  jpeg.writeUInt16BE(side, 9)
  const avif = Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf\0\0\0\x14ispe\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')
  avif.writeUInt32BE(side, avif.indexOf('ispe') + 8)
  avif.writeUInt32BE(side, avif.indexOf('ispe') + 12)
  return { png, gif, webp, jpeg, avif }
}
