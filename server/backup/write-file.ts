import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { ToldError } from '../error-line.ts'
import { type FrameKind, firstLine, frameHead, type PartEnd } from './format.ts'
import type { Manifest } from './manifest.ts'

/** Not enough room, in the words of the operating systems. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** What a killed process left half-written is removed by a later one after this long. */
const draftLivesMs = 24 * 3_600_000
export const draftName = (name: string): string => `.${name}.${process.pid}.part`
const draftPattern = /^\..*\.\d+\.part$/
/** Fast, and about a quarter of the rows' text. The checksum is the format's own. */
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

export type BackupWriter = {
  /** Adds a part; its bytes are taken as they come, never all at once. */
  part(name: string, bytes: AsyncIterable<Buffer>, options?: { isCompressed?: boolean }): Promise<PartEnd>
  finish(manifest: Manifest): Promise<{ bytes: number }>
}

/**
 * Writes a backup under another name, and gives it its own when it is whole and on the disk: a file with that name is never half.
 * Only whoever made it may read it, because it holds what people wrote.
 * @throws ToldError when the file exists already, or the disk is full
 */
export async function writeBackupFile<Answer>(file: string, work: (writer: BackupWriter) => Promise<Answer>): Promise<Answer> {
  const folder = path.dirname(file)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  if (await exists(file)) throw new ToldError(`${file} exists already. Nothing was written.`)
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
    if (!noRoom.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new ToldError(`There is no room for the backup in ${folder}. Nothing was kept of it.`, { cause: error })
  }
}

async function createWriter(handle: fs.FileHandle): Promise<BackupWriter> {
  const whole = createHash('sha256')
  let length = 0

  const put = async (bytes: Buffer) => {
    whole.update(bytes)
    length += bytes.length
    // It writes on until all of it is written, or fails.
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

/** Only then does the new name outlive a power cut. Windows knows no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await fs.open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
