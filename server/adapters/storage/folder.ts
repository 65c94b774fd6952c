import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { isOutOfSpace, requireKey, resolveRange, type Storage } from '#server/kernel/storage.ts'

const full = (cause: unknown) =>
  new AppError('unavailable', { message: "There's no space for more files right now. Try again later.", cause })

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

/** Files in a local folder. Several nodes need a shared folder, or the other adapter. */
export function createFolderStorage(root: string, writeFile: typeof fs.writeFile = fs.writeFile): Storage {
  const fileOf = (key: string) => path.join(root, ...requireKey(key).split('/'))

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      const draft = path.join(root, `.${newId()}.part`)
      try {
        await fs.mkdir(path.dirname(file), { recursive: true })
        // Flushed to a draft and renamed, so that after a power failure the file is either whole or missing.
        await writeFile(draft, bytes, { flush: true })
        await fs.rename(draft, file)
      } catch (error) {
        await fs.rm(draft, { force: true }).catch(() => {})
        throw isOutOfSpace(error) ? full(error) : error
      }
    },
    async putFile(key, file) {
      const target = fileOf(key)
      const draft = path.join(root, `.${newId()}.part`)
      try {
        await fs.mkdir(path.dirname(target), { recursive: true })
        const handle = await fs.open(file, 'r+')
        await handle.sync().finally(() => handle.close())
        // A rename is atomic on the same disk; across disks it needs a copy.
        await fs.rename(file, target).catch(async (error: unknown) => {
          if (codeOf(error) !== 'EXDEV') throw error
          await fs.copyFile(file, draft)
          await fs.rename(draft, target)
        })
      } catch (error) {
        await fs.rm(draft, { force: true }).catch(() => {})
        throw isOutOfSpace(error) ? full(error) : error
      }
    },
    async get(key, range) {
      const handle = await fs.open(fileOf(key)).catch((error: unknown) => {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return null
        throw error
      })
      if (!handle) return null
      try {
        const { size, isFile } = await handle.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }))
        const bytes = resolveRange(range, size)
        if (!isFile || !bytes) {
          await handle.close()
          return isFile ? { outOfRange: true, size } : null
        }
        const isEmpty = bytes.last < bytes.first
        if (isEmpty) await handle.close()
        const body = isEmpty ? Readable.from([]) : handle.createReadStream({ start: bytes.first, end: bytes.last })
        return { size, ...bytes, body }
      } catch (error) {
        await handle.close().catch(() => {})
        throw error
      }
    },
    async delete(keys) {
      const folders = new Set<string>()
      for (const key of keys) {
        const file = fileOf(key)
        await fs.rm(file, { force: true })
        folders.add(path.dirname(file))
      }
      for (const folder of folders) {
        // Folders that aren't empty stay, and so does the root.
        if (folder !== root) await fs.rmdir(folder).catch(() => {})
      }
    },
  }
}
