import sharp, { type OutputInfo } from 'sharp'
import { type PictureSize, pictureSizes } from '../../kernel/media-address.ts'
import { maxPixels, readHeader, refusals } from '../../kernel/media-header.ts'
import { type MadePicture, MediaRefused } from '../../kernel/media-maker.ts'

const widths: Record<PictureSize, number> = { small: 480, medium: 960, large: 1600 }
/** A strip of a hundred screenshots is shown narrower instead of endless. */
const mostHeightToWidth = 2.5

// Nothing is read but these five, and these from memory alone.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
})
sharp.cache(false)
// One core each: there are two of these processes, and a server beside them.
sharp.concurrency(1)

type Raw = { data: Buffer; info: OutputInfo }

/** Upright, in sRGB, in three widths and two formats, with nothing of the original's metadata. @throws MediaRefused */
export async function makePicture(bytes: Buffer): Promise<MadePicture> {
  const { kind } = readHeader(bytes, bytes.length)
  if (kind !== 'image') throw new MediaRefused(refusals.unknown)
  const source = await decode(bytes)
  const versions: MadePicture['versions'] = []
  for (const size of pictureSizes) {
    const last = versions.at(-1)
    // What is already at its full width need not be made again.
    versions.push(last && last.width === source.info.width ? { ...last, size } : await makeVersion(source, size))
  }
  const { width, height } = source.info
  return { width, height, placeholder: await makePlaceholder(source), versions }
}

const within = (width: number) => ({
  width,
  height: Math.round(width * mostHeightToWidth),
  fit: 'inside' as const,
  withoutEnlargement: true,
})

/** Decoded once, at the largest size that is shown. */
async function decode(bytes: Buffer): Promise<Raw> {
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true })
      .autoOrient()
      .resize(within(widths.large))
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    const isTooLarge = /pixel limit/i.test(String(error))
    throw new MediaRefused(isTooLarge ? refusals.pixels(maxPixels + 1) : refusals.damaged, { cause: error })
  }
}

const fromRaw = ({ data, info }: Raw) => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })

async function makeVersion(source: Raw, size: PictureSize): Promise<MadePicture['versions'][number]> {
  const resized = await fromRaw(source).resize(within(widths[size])).raw().toBuffer({ resolveWithObject: true })
  // More effort takes four times as long and saves little: see docs/decisions/010-media.md.
  const avif = await fromRaw(resized).avif({ quality: 50, effort: 1, chromaSubsampling: '4:2:0' }).toBuffer()
  const webp = await fromRaw(resized).webp({ quality: 76, effort: 3 }).toBuffer()
  return { size, width: resized.info.width, avif, webp }
}

async function makePlaceholder(source: Raw): Promise<string> {
  for (const side of [18, 14, 10, 6]) {
    const tiny = await fromRaw(source)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 20, alphaQuality: 20, effort: 4 })
      .toBuffer()
    const address = `data:image/webp;base64,${tiny.toString('base64')}`
    if (address.length < 400) return address
  }
  throw new Error('a placeholder of six pixels has more than 400 characters')
}
