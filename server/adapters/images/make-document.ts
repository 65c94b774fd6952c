import {
  ParseSpeeds,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { maxDocumentPages } from '#contracts/media.ts'
import { readHeader, refusals } from '#server/kernel/media-header.ts'
import { MediaRefused, type ProcessedDocument } from '#server/kernel/media-maker.ts'

const sentences = {
  encrypted: 'This PDF is protected by a password. Save it without one and send it again.',
  active: 'This PDF contains scripts, attached files or other active content. Print it to a new PDF and send that one.',
  pages: `A PDF can have up to ${maxDocumentPages} pages.`,
  empty: 'This PDF has no pages.',
}

const maxObjects = 100_000

/**
 * Copies only the drawn content of pages into a new file. That drops titles, authors, dates, programs, links, forms, earlier versions and
 * anything else a PDF may contain. Files with active content are refused instead of cleaned, because someone put it there on purpose.
 * @throws MediaRefused
 */
export async function makeDocument(bytes: Buffer): Promise<ProcessedDocument> {
  if (readHeader(bytes, bytes.length).kind !== 'document') throw new MediaRefused(refusals.unknown)
  try {
    return await rewrite(bytes)
  } catch (error) {
    throw error instanceof MediaRefused ? error : new MediaRefused(refusals.damaged, { cause: error })
  }
}

const load = (bytes: Uint8Array) =>
  PDFDocument.load(bytes, {
    ignoreEncryption: true,
    updateMetadata: false,
    throwOnInvalidObject: true,
    parseSpeed: ParseSpeeds.Fastest,
    preserveXFA: true,
  })

async function rewrite(bytes: Buffer): Promise<ProcessedDocument> {
  const source = await load(bytes)
  if (source.isEncrypted) throw new MediaRefused(sentences.encrypted)
  requirePassive(source.context)
  const pages = source.getPages()
  const [first] = pages
  if (!first) throw new MediaRefused(sentences.empty)
  if (pages.length > maxDocumentPages) throw new MediaRefused(sentences.pages)
  for (const page of pages) removeUndrawn(page)

  const made = await PDFDocument.create({ updateMetadata: false })
  for (const page of await made.copyPages(source, source.getPageIndices())) made.addPage(page)
  dropMetadata(made.context)
  const saved = await made.save({ addDefaultPage: false, updateFieldAppearances: false, objectsPerTick: ParseSpeeds.Fastest })
  // Checks the output as strictly as the input, so a bug in this code can't publish active content.
  const again = await load(saved)
  requirePassive(again.context)
  if (again.getPageCount() !== pages.length) throw new Error('a page was lost')
  const { width, height } = sizeOf(first)
  return { width, height, pageCount: pages.length, bytes: saved }
}

/** In points, after rotation. */
function sizeOf(page: PDFPage): { width: number; height: number } {
  const { width, height } = page.getSize()
  const isTurned = Math.abs(page.getRotation().angle) % 180 === 90
  const [across, down] = isTurned ? [height, width] : [width, height]
  const within = (side: number) => {
    if (!Number.isFinite(side)) throw new Error('a page has no size')
    return Math.min(20_000, Math.max(1, Math.round(Math.abs(side))))
  }
  return { width: within(across), height: within(down) }
}

const name = (text: string) => PDFName.of(text)
const names = (...texts: string[]) => new Set<PDFObject>(texts.map(name))

/** Actions, annotations and objects that run, load, send or play something, or contain a file. */
const activeKinds: readonly [key: PDFName, kinds: ReadonlySet<PDFObject>][] = [
  [name('S'), names('JavaScript', 'Launch', 'GoToE', 'ImportData', 'SubmitForm', 'Rendition', 'RichMediaExecute', 'Movie', 'Sound')],
  [name('Subtype'), names('FileAttachment', 'RichMedia', '3D', 'Screen', 'Movie', 'Sound')],
  [name('Type'), names('EmbeddedFile')],
]
const activeKeys = ['JS', 'JavaScript', 'EF', 'EmbeddedFiles', 'XFA', 'RichMediaContent', 'RichMediaSettings', 'Launch'].map(name)

/** @throws MediaRefused */
function requirePassive(context: PDFContext): void {
  eachDict(context, (dict) => {
    const isActive =
      activeKeys.some((key) => dict.get(key) !== undefined) || activeKinds.some(([key, kinds]) => kinds.has(dict.lookup(key) as PDFObject))
    if (isActive) throw new MediaRefused(sentences.active)
  })
}

function eachDict(context: PDFContext, visit: (dict: PDFDict) => void): void {
  const objects = context.enumerateIndirectObjects()
  if (objects.length > maxObjects) throw new MediaRefused(refusals.damaged)
  const waiting: PDFObject[] = objects.map(([, object]) => object)
  const { Root, Info } = context.trailerInfo
  for (const object of [Root, Info]) if (object) waiting.push(object)
  for (let object = waiting.pop(); object; object = waiting.pop()) {
    if (object instanceof PDFArray) waiting.push(...object.asArray())
    const dict = object instanceof PDFStream ? object.dict : object instanceof PDFDict ? object : null
    if (!dict) continue
    visit(dict)
    waiting.push(...dict.values())
  }
}

const pageKeys = names('Type', 'Parent', 'Resources', 'Contents', 'MediaBox', 'CropBox', 'Rotate', 'UserUnit', 'Group')
const annotationKeys = names('Type', 'Subtype', 'Rect', 'AP', 'AS', 'F')

/** Annotations keep only their appearance, not their text, author, link or action. Those without an appearance are dropped. */
function removeUndrawn({ node, doc }: PDFPage): void {
  const annotations = node.Annots()
  for (const key of node.keys()) if (!pageKeys.has(key)) node.delete(key)
  if (!annotations) return
  const drawn = doc.context.obj([])
  for (let i = 0; i < annotations.size(); i++) {
    const annotation = annotations.lookupMaybe(i, PDFDict)
    if (!annotation?.has(name('AP'))) continue
    for (const key of annotation.keys()) if (!annotationKeys.has(key)) annotation.delete(key)
    drawn.push(annotation)
  }
  if (drawn.size() > 0) node.set(name('Annots'), drawn)
}

const metadataKeys = ['Metadata', 'PieceInfo', 'LastModified', 'OPI', 'Thumb', 'Measure', 'PtData', 'AF', 'A', 'AA', 'StructParent'].map(
  name,
)

/** Metadata in the PDF's pictures and forms can name authors, places and software. */
function dropMetadata(context: PDFContext): void {
  eachDict(context, (dict) => {
    for (const key of metadataKeys) {
      // Elsewhere, `A` is an angle or alpha. Only a dictionary is an action.
      if (key === name('A') && !(dict.lookup(key) instanceof PDFDict)) continue
      dict.delete(key)
    }
  })
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream && isJpeg(object)) replaceJpeg(context, ref, object)
  }
  dropUnreachable(context)
}

function isJpeg({ dict }: PDFRawStream): boolean {
  const filter = dict.lookup(name('Filter'))
  const only = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter
  return only === name('DCTDecode') || only === name('DCT')
}

const replaceJpeg = (context: PDFContext, ref: PDFRef, { dict, contents }: PDFRawStream) =>
  context.assign(ref, PDFRawStream.of(dict, withoutJpegMetadata(contents)))

/** Drops streams that only metadata referred to. Otherwise, they would remain in the file. */
function dropUnreachable(context: PDFContext): void {
  const reached = new Set<PDFObject>()
  const waiting: (PDFObject | undefined)[] = [context.trailerInfo.Root]
  while (waiting.length > 0) {
    const object = waiting.pop()
    if (!object || reached.has(object)) continue
    reached.add(object)
    const dict = object instanceof PDFStream ? object.dict : object instanceof PDFDict ? object : null
    if (dict) waiting.push(...dict.values())
    else if (object instanceof PDFArray) waiting.push(...object.asArray())
    else waiting.push(context.lookup(object))
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref)
}

/** Markers of EXIF and XMP, IPTC, and comments. Decoders need the other segments: JFIF, color profile, Adobe's transform. */
const metadataMarkers = new Set([0xe1, 0xed, 0xfe])

/** Metadata may reveal where, when and by whom a picture was taken. Returns anything that isn't a JPEG unchanged. */
function withoutJpegMetadata(jpeg: Uint8Array): Uint8Array {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) return jpeg
  const segments: Uint8Array[] = [jpeg.subarray(0, 2)]
  let at = 2
  // Stops at the image data, where segments end.
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== 0xda) {
    const length = 2 + (((jpeg[at + 2] as number) << 8) | (jpeg[at + 3] as number))
    if (length < 4) break
    if (!metadataMarkers.has(jpeg[at + 1] as number)) segments.push(jpeg.subarray(at, at + length))
    at += length
  }
  segments.push(jpeg.subarray(at))
  return Buffer.concat(segments)
}
