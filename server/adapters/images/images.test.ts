import { spawnSync } from 'node:child_process'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHeader } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { fuzzPictures } from '#tests/support/fuzz-pictures.ts'
import { bombs, formats, pictureWithSecrets, pngChunk, secretsIn } from '#tests/support/pictures.ts'
import { createMediaMaker, createWorkerPool } from './worker-pool.ts'

let maker: ReturnType<typeof createMediaMaker>
const warnings: unknown[] = []

beforeAll(async () => {
  maker = createMediaMaker({ warn: (...line: unknown[]) => void warnings.push(line) })
  await maker.makePicture(await pictureWithSecrets('png'))
})
afterAll(() => maker.stop())

it.each(formats)('strips all metadata from a %s and turns it upright', async (format) => {
  const original = await pictureWithSecrets(format, 300, 200)
  expect((await secretsIn(original)).length).toBeGreaterThan(0)
  const { width, height, versions, placeholder } = await maker.makePicture(original)
  // Orientation 6 is a quarter turn. GIF can't express orientation.
  expect([width, height]).toEqual(format === 'gif' ? [300, 200] : [200, 300])
  for (const { avif, webp } of versions) {
    expect(await secretsIn(avif)).toEqual([])
    expect(await secretsIn(webp)).toEqual([])
  }
  const tiny = Buffer.from(placeholder.replace('data:image/webp;base64,', ''), 'base64')
  expect(await secretsIn(tiny)).toEqual([])
})

it('makes three widths in two formats without enlarging the picture, and a placeholder of fewer than 400 characters', async () => {
  const large = await maker.makePicture(
    await sharp(await pictureWithSecrets('jpeg', 600, 400))
      .resize(2000)
      .jpeg()
      .toBuffer(),
  )
  expect(large.versions.map(({ size, width }) => [size, width])).toEqual([
    ['small', 480],
    ['medium', 960],
    ['large', 1600],
  ])
  expect(large.placeholder.length).toBeLessThan(400)
  for (const { width, avif, webp } of large.versions) {
    expect(await sharp(avif).metadata()).toMatchObject({ format: 'heif', compression: 'av1', width, space: 'srgb' })
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width, space: 'srgb' })
  }
  const small = await maker.makePicture(await pictureWithSecrets('webp', 700, 400).then((bytes) => sharp(bytes).png().toBuffer()))
  expect(small.versions.map(({ width }) => width)).toEqual([480, 700, 700])
})

it('converts other color spaces to sRGB and limits very tall pictures', async () => {
  const red = sharp({ create: { width: 40, height: 40, channels: 3, background: '#d02020' } })
  const cmyk = await maker.makePicture(await red.toColourspace('cmyk').jpeg().toBuffer())
  expect(await sharp(cmyk.versions[0]?.webp).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  const tall = await maker.makePicture(
    await sharp({ create: { width: 100, height: 20_000, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer(),
  )
  expect(tall.height).toBeLessThanOrEqual(4000)
  expect(await sharp(tall.versions[0]?.webp).metadata()).toMatchObject({ hasAlpha: true })
})

/** Milliseconds of the fastest of five runs, because other processes share the machine. */
async function quickest(run: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const begin = performance.now()
    await run()
    best = Math.min(best, performance.now() - begin)
  }
  return best
}

describe('the image processor', () => {
  it('rejects decompression bombs by their header within 50 ms, in this process and in the decoder', async () => {
    for (const [format, bomb] of Object.entries(bombs())) {
      const inThisProcess = await quickest(async () => {
        expect(() => readHeader(bomb, bomb.length), format).toThrow(/2,500 megapixels. The limit is 40/)
      })
      expect(inThisProcess, format).toBeLessThan(50)
      const inTheOther = await quickest(() => expect(maker.makePicture(bomb), format).rejects.toThrow(MediaRefused))
      expect(inTheOther, format).toBeLessThan(50)
    }
  })

  it('accepts up to 40 megapixels', () => {
    const { png } = bombs()
    png.writeUInt32BE(8000, 16)
    png.writeUInt32BE(5000, 20)
    expect(readHeader(png, png.length)).toMatchObject({ format: 'png', width: 8000, height: 5000 })
    png.writeUInt32BE(5001, 20)
    expect(() => readHeader(png, png.length)).toThrow(MediaRefused)
  })

  it('rejects long animations, large files, HEIC, and non-pictures, and gives a reason for each', async () => {
    const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 1, 0, 0])])
    const header = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7)])
    header.writeUInt16LE(2000, 6)
    header.writeUInt16LE(2000, 8)
    const animation = Buffer.concat([header, ...Array.from({ length: 101 }, () => frame), Buffer.from([0x3b])])
    expect(() => readHeader(animation, animation.length)).toThrow(/animation is too long/)
    const png = await pictureWithSecrets('png')
    expect(() => readHeader(png, 10 * 1024 * 1024 + 1)).toThrow(/up to 10 MB/)
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\0', 'latin1')
    expect(() => readHeader(heic, heic.length)).toThrow(/Settings → Camera → Formats → Most Compatible/)
    for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html><title>no</title>', '']) {
      expect(() => readHeader(Buffer.from(text), text.length), text).toThrow(/file type isn.t supported/)
      await expect(maker.makePicture(Buffer.from(text)), text).rejects.toThrow(MediaRefused)
    }
    const tiff = await sharp(png).tiff().toBuffer()
    await expect(maker.makePicture(tiff)).rejects.toThrow(/file type isn.t supported/)
    expect(warnings).toEqual([])
  })

  it('rejects files that start like a picture but aren’t one', async () => {
    const jpeg = await pictureWithSecrets('jpeg', 800, 600)
    await expect(maker.makePicture(jpeg.subarray(0, jpeg.length / 2))).rejects.toThrow(/damaged or incomplete/)
    const text = pngChunk('tEXt', Buffer.from('no picture'))
    await expect(maker.makePicture(Buffer.concat([bombs(10).png.subarray(0, 33), text]))).rejects.toThrow(/damaged or incomplete/)
  })
})

it('recovers when its processes die and ends them when it stops', async () => {
  const own = createMediaMaker({ warn: () => {} })
  const picture = await pictureWithSecrets('jpeg', 1200, 900)
  await own.makePicture(picture)
  const working = own.makePicture(picture)
  for (const pid of own.pids()) process.kill(pid, 'SIGKILL')
  expect((await working).width).toBe(900)
  const busy = own.makePicture(picture).catch((error: unknown) => error)
  const pids = own.pids()
  expect(pids.length).toBeGreaterThan(0)
  await own.stop()
  expect(await busy).toMatchObject({ code: 'unavailable' })
  // The kernel may take a moment to remove a killed process.
  await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([])
})

it('doesn’t refuse a file if its process can’t start', async () => {
  const entry = path.join(import.meta.dirname, 'no-such-worker.ts')
  const pool = createWorkerPool({ log: { warn: () => {} }, entry })
  const failed = await pool.run('picture', await pictureWithSecrets('gif')).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Error)
  expect(failed).not.toBeInstanceOf(MediaRefused)
  await pool.stop()
})

it('leaves no process behind when the server is killed', async () => {
  const script = `
    import { createMediaMaker } from './server/adapters/images/worker-pool.ts'
    import { pictureWithSecrets } from './tests/support/pictures.ts'
    const maker = createMediaMaker({ warn() {} })
    await maker.makePicture(await pictureWithSecrets('gif'))
    console.log(maker.pids().join())
    process.kill(process.pid, 'SIGKILL')`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' })
  const pids = stdout.trim().split(',').map(Number)
  expect(pids.every((pid) => pid > 0)).toBe(true)
  await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('accepts or refuses malformed pictures without a crash, and keeps none of their metadata', { timeout: 60_000 }, async () => {
  const { faults, pictures, accepted, refused } = await fuzzPictures(300, 20261121)
  expect(faults).toEqual([])
  expect(pictures).toBe(300)
  expect(accepted).toBeGreaterThan(30)
  expect(refused).toBeGreaterThan(30)
})
