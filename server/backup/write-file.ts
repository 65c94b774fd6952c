import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { hourMs } from '#contracts/time.ts'
import { UserFacingError } from '#server/error-line.ts'
import { isOutOfSpace } from '#server/kernel/storage.ts'
import type { Manifest } from './format.ts'
import { type FrameKind, firstLine, frameHead, type PartEnd } from './format.ts'

/** After this many ms, partial files left by a killed process are deleted by a later one. */
const draftLivesMs = 24 * hourMs
export const draftName = (name: string): string => `.${name}.${process.pid}.part`
const draftPattern = /^\..*\.\d+\.part$/
/** Fast, and about a quarter of the text's size. The checksum is part of the Zstandard format. */
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

export type BackupWriter = {
  part(name: string, bytes: AsyncIterable<Buffer>, options?: { isCompressed?: boolean }): Promise<PartEnd>
  finish(manifest: Manifest): Promise<{ bytes: number }>
}

/**
 * Writes a backup under a temporary name and renames it when it is complete and flushed, so a file with the final name is never
 * partial. Readable only by the user who made it, because it contains personal data.
 * @throws UserFacingError if the file already exists or the disk is full
 */
export async function writeBackupFile<Answer>(file: string, work: (writer: BackupWriter) => Promise<Answer>): Promise<Answer> {
  const folder = path.dirname(file)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  if (await exists(file)) throw new UserFacingError(`${file} already exists. Nothing was written.`)
  await removeOldDrafts(folder)
  const draft = path.join(folder, draftName(path.basename(file)))
  const handle = await fs.open(draft, 'wx', 0o600)
  try {
    const answer = await work(await createWriter(handle))
    await handle.sync()
    await handle.close()
    await fs.rename(draft, file)
    await syncFolder(folder)
    return answer
  } catch (error) {
    await handle.close().catch(() => {})
    await fs.rm(draft, { force: true }).catch(() => {})
    if (!isOutOfSpace(error)) throw error
    throw new UserFacingError(`There is not enough space for the backup in ${folder}. The unfinished file was removed.`, { cause: error })
  }
}

async function createWriter(handle: fs.FileHandle): Promise<BackupWriter> {
  const whole = createHash('sha256')
  let length = 0

  const put = async (bytes: Buffer) => {
    whole.update(bytes)
    length += bytes.length
    // Keeps writing until everything is written, or fails.
    await handle.appendFile(bytes)
  }
  const frame = async (kind: FrameKind, content: Buffer) => {
    await put(frameHead(kind, content.length))
    await put(content)
  }
  const json = (kind: FrameKind, value: object) => frame(kind, Buffer.from(JSON.stringify(value)))

  await put(Buffer.from(firstLine()))
  return {
    async part(name, bytes, { isCompressed = true } = {}) {
      const hash = createHash('sha256')
      let size = 0
      async function* counted() {
        for await (const chunk of bytes) {
          hash.update(chunk)
          size += chunk.length
          yield chunk
        }
      }
      const store = async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await frame('D', chunk)
      }
      await json('P', { name, isCompressed })
      if (isCompressed) await pipeline(Readable.from(counted(), { objectMode: false }), createZstdCompress(zstd), store)
      else await store(counted())
      const end = { sha256: hash.digest('hex'), bytes: size }
      await json('F', end)
      return end
    },
    async finish(manifest) {
      await json('M', manifest)
      const mark = whole.copy().digest()
      await frame('E', mark)
      return { bytes: length }
    },
  }
}

const exists = (file: string) =>
  fs.access(file).then(
    () => true,
    () => false,
  )

async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (!draftPattern.test(name)) continue
    const file = path.join(folder, name)
    const stat = await fs.stat(file).catch(() => null)
    if (stat && Date.now() - stat.mtimeMs > draftLivesMs) await fs.rm(file, { force: true })
  }
}

/** Makes the rename survive a power failure. Windows has no equivalent. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await fs.open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
