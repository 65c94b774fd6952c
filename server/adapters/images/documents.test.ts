import { inflateSync } from 'node:zlib'
import { PDFArray, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxDocumentBytes } from '#contracts/media.rules.ts'
import { maxDocumentPages } from '#contracts/media.ts'
import { readHeader } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { activeDocuments, damagedDocuments, documentWithSecrets, encryptedDocument } from '#tests/support/documents.ts'
import { canary } from '#tests/support/pictures.ts'
import { createMediaMaker } from './worker-pool.ts'

let maker: ReturnType<typeof createMediaMaker>
const warnings: unknown[] = []

beforeAll(() => {
  maker = createMediaMaker({ warn: (...line: unknown[]) => void warnings.push(line) })
})
afterAll(() => maker.stop())

async function insideOf(bytes: Uint8Array): Promise<string> {
  const parts: Uint8Array[] = [bytes]
  for (const [, object] of (await PDFDocument.load(bytes, { updateMetadata: false })).context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) {
      parts.push(Buffer.from(object.toString(), 'latin1'))
      continue
    }
    parts.push(Buffer.from(object.dict.toString(), 'latin1'))
    const isDeflated = object.dict.get(PDFName.of('Filter')) === PDFName.of('FlateDecode')
    parts.push(Buffer.from(object.contents))
    if (isDeflated) parts.push(opened(object.contents))
  }
  return Buffer.concat(parts).toString('latin1')
}

function opened(stream: Uint8Array): Uint8Array {
  try {
    return inflateSync(stream)
  } catch {
    return Buffer.alloc(0)
  }
}

const metadataMarkers = [
  canary,
  Buffer.from(canary, 'utf16le').swap16().toString('hex').toUpperCase(),
  'xmpmeta',
  'Exif\0\0',
  '/URI',
  '/Producer',
  '/Author',
  '/CreationDate',
]

it('keeps the pages and their content but no metadata', async () => {
  const original = await documentWithSecrets(3)
  expect(await insideOf(original)).toContain(canary)
  const made = await maker.makeDocument(original)
  expect(made).toMatchObject({ width: 612, height: 792, pageCount: 3 })
  const inside = await insideOf(made.bytes)
  for (const text of metadataMarkers) expect(inside, text).not.toContain(text)
  const document = await PDFDocument.load(made.bytes, { updateMetadata: false })
  expect(document.context.trailerInfo.Info).toBeUndefined()
  expect(inside).toContain('0 1 0 rg 0 0 90 90 re f')
  const text = (number: number) => `<${Buffer.from(`License 402R-00123, page ${number}`).toString('hex').toUpperCase()}>`
  for (const number of [1, 2, 3]) expect(inside).toContain(text(number))
  const annotations = document.getPage(0).node.lookup(PDFName.of('Annots'), PDFArray)
  expect(annotations.size()).toBe(1)
  expect((await maker.makeDocument(Buffer.from(made.bytes))).pageCount).toBe(3)
})

describe('a document', () => {
  it.each(Object.entries(activeDocuments))('is rejected if it has active content: %s', async (_what, make) => {
    await expect(maker.makeDocument(await make())).rejects.toThrow(/scripts, attached files or other active content/)
  })

  it('is rejected with the reason if it has a password, is too large, is cut off, or isn’t a PDF', async () => {
    await expect(maker.makeDocument(await encryptedDocument())).rejects.toThrow(/protected by a password/)
    const many = await PDFDocument.create()
    for (let i = 0; i <= maxDocumentPages; i++) many.addPage()
    await expect(maker.makeDocument(Buffer.from(await many.save()))).rejects.toThrow(/up to 100 pages/)
    many.removePage(0)
    expect((await maker.makeDocument(Buffer.from(await many.save()))).pageCount).toBe(maxDocumentPages)
    const whole = await documentWithSecrets()
    expect(readHeader(whole, maxDocumentBytes).kind).toBe('document')
    expect(() => readHeader(whole, maxDocumentBytes + 1)).toThrow(/up to 10 MB/)
    await expect(maker.makeDocument(whole.subarray(0, whole.length / 2))).rejects.toThrow(MediaRefused)
    await expect(maker.makeDocument(Buffer.from('%PDF-1.7 and so on'))).rejects.toThrow(/damaged or incomplete/)
    await expect(maker.makeDocument(Buffer.concat([Buffer.from('<html>'), whole]))).rejects.toThrow(/file type isn.t supported/)
    expect(warnings).toEqual([])
  })
})

it('accepts or refuses damaged documents without an unexpected error, and keeps no active content', { timeout: 30_000 }, async () => {
  const documents = await damagedDocuments(300, 20261121)
  const result = { accepted: 0, refused: 0, faults: [] as string[] }
  const lane = async (from: number) => {
    for (let i = from; i < documents.length; i += 4) {
      try {
        const { bytes } = await maker.makeDocument(documents[i] as Buffer)
        result.accepted++
        const inside = await insideOf(bytes)
        for (const text of ['/JavaScript', '/JS', '/Launch', '/EF', 'app.alert']) {
          if (inside.includes(text)) result.faults.push(`document ${i} keeps ${text}`)
        }
      } catch (error) {
        if (error instanceof MediaRefused) result.refused++
        else result.faults.push(`document ${i}: ${error}`)
      }
    }
  }
  await Promise.all([0, 1, 2, 3].map(lane))
  expect(result.faults).toEqual([])
  expect(result.accepted).toBeGreaterThan(15)
  expect(result.refused).toBeGreaterThan(100)
})
