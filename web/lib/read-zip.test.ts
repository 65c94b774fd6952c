import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { openZip, ZipProblem } from './read-zip.ts'

const secret = 'a'.repeat(1000)

async function zip(add: (archive: ZipFile) => void, options: { isLarge?: boolean; comment?: string } = {}): Promise<Buffer<ArrayBuffer>> {
  const archive = new ZipFile()
  add(archive)
  archive.end({ forceZip64Format: options.isLarge ?? false, comment: options.comment ?? '' })
  return Buffer.from(await buffer(archive.outputStream))
}
const twoFiles = (archive: ZipFile) => {
  archive.addBuffer(Buffer.from('{"hunt": 1}'), 'hunt.json', { compress: false })
  archive.addBuffer(Buffer.from(secret), 'photos/é.webp')
}
const open = (bytes: Buffer<ArrayBuffer>) => openZip(new Blob([bytes]))
const problemOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof ZipProblem ? error.message : String(error)),
  )
const textOf = async (entries: Awaited<ReturnType<typeof openZip>>, name: string, maxBytes = 10_000) =>
  (await entries.get(name)?.read(maxBytes))?.text()
const broken = /incomplete or damaged/

test.each([
  ['a plain ZIP', {}],
  ['a ZIP with a comment', { comment: 'PK' }],
  ['a ZIP64', { isLarge: true }],
])('reads %s, stored and compressed', async (_, options) => {
  const entries = await open(await zip(twoFiles, options))
  expect([...entries.values()].map(({ name, size }) => [name, size])).toEqual([
    ['hunt.json', 11],
    ['photos/é.webp', 1000],
  ])
  expect(await textOf(entries, 'hunt.json')).toBe('{"hunt": 1}')
  expect(await textOf(entries, 'photos/é.webp')).toBe(secret)
})

test('reads entries with ZIP64 sizes and offsets', async () => {
  const bytes = await zip((archive) => archive.addBuffer(Buffer.from('one'), 'a', { compress: false, forceZip64Format: true }))
  expect(await textOf(await open(bytes), 'a')).toBe('one')
})

test('reports that a file isn’t a ZIP or that its end is missing', async () => {
  expect(await problemOf(open(Buffer.from('{"format": "sungrove.hunt"}')))).toMatch(/isn’t a ZIP file/)
  expect(await problemOf(open(Buffer.alloc(0)))).toMatch(/isn’t a ZIP file/)
  const bytes = await zip(twoFiles)
  for (let length = 4; length < bytes.length; length += 7) expect(await problemOf(open(bytes.subarray(0, length)))).toMatch(broken)
})

test('detects a changed byte of the content', async () => {
  const bytes = await zip(twoFiles)
  const at = bytes.indexOf('hunt": 1')
  bytes[at] = 0x21
  const entries = await open(bytes)
  expect(await problemOf(textOf(entries, 'hunt.json'))).toMatch(broken)
  expect(await textOf(entries, 'photos/é.webp')).toBe(secret)
})

test('never crashes on a damaged file, no matter which byte is wrong', async () => {
  const whole = await zip(twoFiles)
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] as number) ^ 0xff
    const read = async () => {
      for (const entry of (await open(bytes)).values()) await entry.read(10_000)
    }
    const message = await problemOf(read())
    if (message !== 'none') expect([at, message]).toEqual([at, expect.stringMatching(/archive|ZIP file/)])
  }
})

test('refuses an entry that is larger than allowed or than it claims to be', async () => {
  const entries = await open(await zip(twoFiles))
  expect(await problemOf(textOf(entries, 'photos/é.webp', 999))).toMatch(/larger than any exported file/)
  // A bomb: ten megabytes compressed to ten kilobytes, with 100 bytes stated in the directory.
  const bomb = deflateRawSync(Buffer.alloc(10 * 1024 * 1024))
  const bytes = await zip((archive) => archive.addBuffer(bomb, 'hunt.json', { compress: false }))
  const directory = bytes.readUInt32LE(bytes.length - 6)
  bytes.writeUInt16LE(8, directory + 10)
  bytes.writeUInt32LE(100, directory + 24)
  const began = process.memoryUsage().arrayBuffers
  expect(await problemOf(textOf(await open(bytes), 'hunt.json'))).toMatch(broken)
  expect(process.memoryUsage().arrayBuffers - began).toBeLessThan(5 * 1024 * 1024)
})

test('refuses a directory that claims more entries than it has', async () => {
  const bytes = await zip(twoFiles, { isLarge: true })
  const record = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x06, 0x06]))
  bytes.writeBigUInt64LE(1_000_000_000n, record + 32)
  expect(await problemOf(open(bytes))).toMatch(broken)
})
