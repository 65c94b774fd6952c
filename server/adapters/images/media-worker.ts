import sharp, { type OutputInfo } from 'sharp'
import { type PictureSize, pictureSizes } from '#server/kernel/media-address.ts'
import { maxPixels, readHeader, refusals } from '#server/kernel/media-header.ts'
import { MediaRefused, type ProcessedPicture } from '#server/kernel/media-maker.ts'
import { remuxVideo } from './remux-video.ts'
import type { Reply, Request, Task } from './worker-pool.ts'

const widths: Record<PictureSize, number> = { small: 480, medium: 960, large: 1600 }
/** Taller pictures, such as a strip of screenshots, are shown narrower. */
const maxAspectRatio = 2.5

// Allows only these five loaders, and only from memory.
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
// One core per process, because there are two processes plus the server.
sharp.concurrency(1)

type Raw = { data: Buffer; info: OutputInfo }

/** Upright, in sRGB, in three widths and two formats, without the original's metadata. @throws MediaRefused */
async function makePicture(bytes: Buffer): Promise<ProcessedPicture> {
  const { kind } = readHeader(bytes, bytes.length)
  if (kind !== 'image') throw new MediaRefused(refusals.unknown)
  const source = await decode(bytes)
  const versions: ProcessedPicture['versions'] = []
  for (const size of pictureSizes) {
    const last = versions.at(-1)
    versions.push(last && last.width === source.info.width ? { ...last, size } : await makeVersion(source, size))
  }
  const { width, height } = source.info
  return { width, height, placeholder: await makePlaceholder(source), versions }
}

const within = (width: number) => ({
  width,
  height: Math.round(width * maxAspectRatio),
  fit: 'inside' as const,
  withoutEnlargement: true,
})

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

async function makeVersion(source: Raw, size: PictureSize): Promise<ProcessedPicture['versions'][number]> {
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

/** Per process, including decoders. */
const maxMemoryBytes = 1_200 * 1024 * 1024

const handlers: Readonly<Record<Task, (bytes: Buffer) => Promise<unknown>>> = {
  picture: makePicture,
  video: remuxVideo,
  // Loaded on demand, because pdf-lib is larger than everything else here.
  document: async (bytes) => (await import('./make-document.ts')).makeDocument(bytes),
}

// Entry point of the processes that open untrusted files. They have no access to secrets or the database.
process.on('message', async ({ id, task, bytes }: Request) => {
  const reply = (answer: Omit<Reply, 'id'>) => process.send?.({ id, ...answer } satisfies Reply)
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    reply({ made: await handlers[task](file) })
  } catch (error) {
    reply(error instanceof MediaRefused ? { refused: error.message } : { failed: String(error) })
  }
})

process.send?.({ id: 0 } satisfies Reply)

// Ctrl-C signals the whole process group, but the server decides when this process ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

// Decoders run on their own threads, so this timer fires while they work.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.exit(70)
}, 100).unref()
