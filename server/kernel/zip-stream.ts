import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type ZipEntry = {
  name: string
  /** In bytes, if known before reading. */
  size?: number
  /** By default, entries are stored uncompressed, because pictures are already compressed. */
  isCompressed?: boolean
  open(): Promise<Readable>
}

/**
 * Streams files into a ZIP, one after another. Each file is opened after the previous one has been read, and read no faster than the
 * archive. `size` is the archive's, or null if an entry is compressed or of unknown size. A failing entry fails the archive. Destroying the
 * archive closes the open entry.
 */
export function zipStream(entries: readonly ZipEntry[]): { body: Readable; size: number | null } {
  const archive = new ZipFile()
  const body = archive.outputStream as PassThrough
  let open: Readable | undefined
  archive.on('error', (error: Error) => body.destroy(error))
  body.once('close', () => open?.destroy())
  for (const entry of entries) {
    const options = { compress: entry.isCompressed ?? false, ...(entry.size === undefined ? {} : { size: entry.size }) }
    archive.addReadStreamLazy(entry.name, options, (give) => {
      // The archive was abandoned between two entries.
      if (body.destroyed) return
      entry.open().then(
        (content) => {
          open = content
          content.once('error', (error) => archive.emit('error', error))
          if (body.destroyed) content.destroy()
          else give(null, content)
        },
        (error: unknown) => give(error, Readable.from([])),
      )
    })
  }
  let size: number | null = null
  // `end` calls this with the archive's size. The library's types omit the parameter.
  const noteSize = (known: number) => {
    size = known < 0 ? null : known
  }
  archive.end(undefined, noteSize as () => void)
  return { body, size }
}
