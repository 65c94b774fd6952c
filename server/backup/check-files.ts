import { createHash } from 'node:crypto'
import type { Storage } from '../kernel/storage.ts'
import { keyOfFilePart, readBackupFile } from './read-file.ts'
import { BackupRefused } from './refusal.ts'

/** Reads every file of a backup back from where it was put. @returns how many; @throws BackupRefused naming one that differs */
export async function checkFiles(file: string, storage: Storage): Promise<number> {
  let count = 0
  await readBackupFile(file, async (part) => {
    for await (const _chunk of part.bytes);
    const key = keyOfFilePart(part.name)
    if (!key) return
    if ((await hashOf(storage, key)) !== part.end().sha256) throw new BackupRefused(`${key} is not in the storage as it was backed up.`)
    count++
  })
  return count
}

async function hashOf(storage: Storage, key: string): Promise<string | null> {
  const stored = await storage.get(key)
  if (!stored || 'outOfRange' in stored) return null
  const hash = createHash('sha256')
  for await (const chunk of stored.body) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
