import fs from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { newId } from '#server/kernel/ids.ts'
import type { Mail, Mailer } from '#server/kernel/mail.ts'
import { namesAny } from '#server/kernel/whole-name.ts'

export const StoredMail = z.object({
  id: z.string(),
  sentAt: z.iso.datetime(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Base64. */
  attachments: z.optional(z.array(z.object({ filename: z.string(), contentType: z.string(), content: z.string() }))),
})
export type StoredMail = z.infer<typeof StoredMail>

export const maxStoredMails = 500

export const outboxFolder = (dataDir: string): string => path.join(dataDir, 'outbox')

const isMailFile = (name: string) => /^[0-9a-f-]{36}\.json$/.test(name)

/** Writes emails to files that only this user can read, because their links open accounts. Deletes the oldest at the limit. */
export function createOutbox({ folder, from, limit = maxStoredMails }: { folder: string; from: string; limit?: number }): Mailer {
  return {
    async send({ attachments, ...mail }: Mail) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      // IDs start with the time, so names sort by age.
      const stored: StoredMail = { id: newId(), sentAt: new Date().toISOString(), from, ...mail }
      if (attachments) stored.attachments = attachments.map((each) => ({ ...each, content: each.content.toString('base64') }))
      const file = path.join(folder, `${stored.id}.json`)
      // Renamed when complete, so readers never see a partial file.
      await fs.writeFile(`${file}.part`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
      await fs.rename(`${file}.part`, file)
      const names = await mailFiles(folder)
      await Promise.all(names.slice(limit).map((name) => fs.rm(path.join(folder, name), { force: true })))
    },
    async forget(names) {
      let forgotten = 0
      for (const file of await mailFiles(folder)) {
        const text = await fs.readFile(path.join(folder, file), 'utf8').catch(() => '')
        if (!namesAny(text, names)) continue
        await fs.rm(path.join(folder, file), { force: true })
        forgotten += 1
      }
      return forgotten
    },
    async close() {},
  }
}

/** Newest first. Skips files that aren't stored emails. */
export async function listOutbox(folder: string, limit = maxStoredMails): Promise<StoredMail[]> {
  const names = (await mailFiles(folder)).slice(0, limit)
  const mails = await Promise.all(names.map((name) => readMail(path.join(folder, name))))
  return mails.filter((mail) => mail !== null)
}

/** Newest first. */
async function mailFiles(folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).filter(isMailFile).sort().reverse()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function readMail(file: string): Promise<StoredMail | null> {
  try {
    return StoredMail.safeParse(JSON.parse(await fs.readFile(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
