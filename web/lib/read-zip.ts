import type { FileEntry } from '@zip.js/zip.js'

/** The message tells people what to do. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem'
}

export type ZipEntry = {
  name: string
  /** As stated by the archive; `read` enforces it. */
  size: number
  /** Checks length and checksum. @throws ZipProblem, also if the entry is larger than `maxBytes` */
  read(maxBytes: number): Promise<Blob>
}

const incomplete = 'This archive is incomplete or damaged. Download it again, and then choose the new file.'
const notZip = 'This isn’t a ZIP file. Choose one you exported with “Export with photos”.'

const loadReader = () => import('@zip.js/zip.js/lib/zip-core-native.js')

/** None of our archives has more entries. */
const maxEntries = 100_000

/**
 * Loads the directory, and each entry on request, so the ZIP may be any size. Names of entries are never used as paths.
 * @throws ZipProblem, TypeError if the reader's code can't be loaded
 */
export async function openZip(file: Blob): Promise<Map<string, ZipEntry>> {
  const { BlobReader, ZipReader } = await loadReader()
  const entries = new Map<string, ZipEntry>()
  let read = 0
  try {
    for await (const entry of new ZipReader(new BlobReader(file)).getEntriesGenerator()) {
      if (++read > maxEntries) throw new ZipProblem('This archive has too many files.')
      // If two entries share a name, the first one counts.
      if (entry.directory || entries.has(entry.filename)) continue
      const { filename: name, uncompressedSize: size } = entry
      entries.set(name, { name, size, read: (maxBytes) => readEntry(entry, maxBytes) })
    }
  } catch (error) {
    throw error instanceof ZipProblem ? error : new ZipProblem((await beginsAsZip(file)) ? incomplete : notZip)
  }
  return entries
}

/** Checks the first bytes, because some systems don't recognize the file's type. */
export async function beginsAsZip(file: Blob): Promise<boolean> {
  const [p, k] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return p === 0x50 && k === 0x4b
}

async function readEntry(entry: FileEntry, maxBytes: number): Promise<Blob> {
  const { ERR_ENCRYPTED, ERR_UNSUPPORTED_COMPRESSION } = await loadReader()
  const size = entry.uncompressedSize
  if (size > maxBytes) throw new ZipProblem('A file in this archive is larger than any exported file.')
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // A small entry may inflate to any size, so stop at its stated size.
  const content = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(part) {
      length += part.length
      if (length > size) throw new ZipProblem(incomplete)
      parts.push(part)
    },
  })
  try {
    await entry.getData(content, { checkSignature: true, useWebWorkers: false })
  } catch (error) {
    const { message } = error as Error
    if (message === ERR_ENCRYPTED) throw new ZipProblem('This archive has a password. Choose an archive without one.')
    if (message === ERR_UNSUPPORTED_COMPRESSION) {
      throw new ZipProblem('This archive uses compression that can’t be read here. Choose the original download.')
    }
    throw new ZipProblem(incomplete)
  }
  if (length !== size) throw new ZipProblem(incomplete)
  return new Blob(parts)
}
