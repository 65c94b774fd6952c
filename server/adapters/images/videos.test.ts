import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { markedAv1, markedMp4, markedWebm } from '#tests/support/camera-videos.ts'
import { seededRandom } from '#tests/support/picture-mutations.ts'
import { canary } from '#tests/support/pictures.ts'
import { video } from '#tests/support/videos.ts'
import { createMediaMaker } from './worker-pool.ts'

let maker: ReturnType<typeof createMediaMaker>
const crashes: unknown[] = []
const log = {
  warn(...line: unknown[]) {
    // Stopping a process that takes too long is expected. Any other warning is a crash.
    if (!/took too long/.test(String(line[1]))) crashes.push(line)
  },
}

beforeAll(() => {
  maker = createMediaMaker(log)
})
afterAll(() => maker.stop())

const bytesOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Traces of a camera, an encoder or a place that `strings` would find. */
const leftIn = (bytes: Buffer): string[] => [
  ...new Set(bytes.toString('latin1').match(/canary[\w:-]*|x264|lavc|lavf|libopus|libvpx|39\.7392|GoPro/gi)),
]

const facts = async (bytes: Buffer) => {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const picture = await input.getPrimaryVideoTrack()
  const sound = await input.getPrimaryAudioTrack()
  return {
    video: await picture?.getCodec(),
    audio: await sound?.getCodec(),
    tags: await input.getMetadataTags(),
    rotation: await picture?.getRotation(),
  }
}

it.each([
  ['h264.mp4', 'mp4', 'avc', 'aac', [64, 48]],
  ['turned.mov', 'mp4', 'avc', 'aac', [64, 48]],
  ['vp8.webm', 'webm', 'vp8', 'opus', [64, 48]],
] as const)('keeps only the pictures and sound of %s', async (name, extension, codec, audio, size) => {
  const original = video(name)
  expect(original.includes(canary)).toBe(true)
  expect(original.includes('+39.7392-104.9903')).toBe(true)
  const made = await maker.makeVideo(original)
  expect(made).toMatchObject({ extension })
  expect([made.width, made.height].sort()).toEqual([...size].sort())
  expect(Math.abs(made.durationMs - 1000)).toBeLessThan(120)
  const bytes = bytesOf(made)
  expect(bytes.includes(canary)).toBe(false)
  expect(bytes.includes('39.7392')).toBe(false)
  const after = await facts(bytes)
  const before = await facts(original)
  expect(after).toMatchObject({ video: codec, audio, rotation: before.rotation })
  expect(Object.keys(after.tags).filter((tag) => tag !== 'raw')).toEqual([])
})

it.each([
  ['MP4', markedMp4, 18],
  ['AV1', markedAv1, 3],
  ['WebM', markedWebm, 2],
] as const)('leaves no camera text in the stream or the file: %s', async (_format, make, count) => {
  const { bytes: original, places } = await make()
  expect(places).toHaveLength(count)
  const made = await maker.makeVideo(original)
  expect(leftIn(bytesOf(made))).toEqual([])
  expect(Math.abs(made.durationMs - 1000)).toBeLessThan(120)
})

it.each(['h264.mp4', 'turned.mov', 'camera.mkv', 'vp9.webm', 'av1.mp4'] as const)('leaves no encoder text: %s', async (name) => {
  expect(leftIn(video(name))).not.toEqual([])
  expect(leftIn(bytesOf(await maker.makeVideo(video(name))))).toEqual([])
})

it('puts the header first and omits timestamps', async () => {
  const bytes = bytesOf(await maker.makeVideo(video('h264.mp4')))
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  for (const box of ['mvhd', 'tkhd', 'mdhd']) {
    const at = bytes.indexOf(box) + 4
    expect(bytes.readUInt32BE(at + 4), box).toBe(0)
    expect(bytes.readUInt32BE(at + 8), box).toBe(0)
  }
  expect(bytesOf(await maker.makeVideo(video('h264.mp4'))).equals(bytes)).toBe(true)
})

it.each([
  ['hevc.mp4', /HEVC.*Most Compatible/],
  ['mpeg4.mp4', /doesn’t play in browsers/],
  ['long.mp4', /up to 60 seconds/],
  ['sound.mp4', /has no video/],
] as const)('rejects %s and gives the reason', async (name, reason) => {
  await expect(maker.makeVideo(video(name))).rejects.toThrow(reason)
})

it('rejects pictures, and videos that are too large', async () => {
  await expect(maker.makeVideo(Buffer.concat([video('h264.mp4'), Buffer.alloc(60 * 1024 * 1024)]))).rejects.toThrow(/up to 60 MB/)
  await expect(maker.makeVideo(Buffer.from('GIF89a and so on and on'))).rejects.toThrow(MediaRefused)
})

it('accepts or refuses damaged videos without a crash, and keeps none of their metadata', { timeout: 240_000 }, async () => {
  const hasty = createMediaMaker(log, { timeLimitMs: { picture: 1000, video: 1000, document: 1000 } })
  const random = seededRandom(7)
  const originals = [video('h264.mp4'), video('turned.mov'), video('vp8.webm')]
  let refused = 0
  for (let i = 0; i < 60; i++) {
    const bytes = Buffer.from(originals[i % 3] as Buffer)
    for (let flips = 1 + Math.floor(random() * 12); flips > 0; flips--)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    const damaged = i % 4 === 0 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
    const made = await hasty.makeVideo(damaged).catch((error: unknown) => error)
    if (made instanceof Error) {
      expect(made).toBeInstanceOf(MediaRefused)
      refused++
    } else expect(bytesOf(made as { bytes: Uint8Array }).includes(canary)).toBe(false)
  }
  await hasty.stop()
  expect(refused).toBeGreaterThan(10)
  expect(crashes).toEqual([])
})
