import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { importHunt } from '#contracts/calls/hunt-archive.ts'
import type { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxArchiveBytes } from '#contracts/limits.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { FileInput } from '#web/entities/media/file-choice.tsx'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { beginsAsZip, ZipProblem } from '#web/lib/read-zip.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { type Archive, openArchive, startRestoring } from './restore-photos.ts'

type Problem = { title: string; lines: string[] }

type ImportHuntButtonProps = {
  variant?: 'secondary' | 'quiet'
  isShort?: boolean
}

/** Imports the whole file or nothing. An archive's photos follow in the background. */
export function ImportHuntButton({ variant, isShort = false }: ImportHuntButtonProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const lastTry = useRef<{ file: string; idempotencyKey: string } | null>(null)

  async function take(file: File) {
    setSending(true)
    const named = `${file.name} ${file.size} ${file.lastModified}`
    // After a lost response, choosing the same file again doesn't import it twice.
    if (lastTry.current?.file !== named) lastTry.current = { file: named, idempotencyKey: randomKey() }
    const { idempotencyKey } = lastTry.current
    try {
      const archive = (await beginsAsZip(file)) ? await openArchive(file) : null
      const hunt = await call(importHunt, { body: await readDocument(file, archive) }, { idempotencyKey })
      lastTry.current = null
      await refreshHunts(client)
      toast({ title: 'Hunt imported', description: `Only you can see ${hunt.huntName}.` })
      if (archive && hunt.photosAwaited > 0) void startRestoring(client, hunt.id, archive)
      await navigate({ to: '/pheno-hunt/$id', params: { id: hunt.id } })
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      <Button
        variant={variant}
        className={cx('min-h-12', isShort && 'max-sm:px-3.5')}
        pending={isSending}
        onClick={() => input.current?.click()}
      >
        <Upload aria-hidden="true" />
        <span className={isShort ? 'max-sm:sr-only' : undefined}>Import a hunt</span>
      </Button>
      <FileInput
        ref={input}
        accept=".json,.zip,application/json,application/zip"
        label="Exported hunt"
        onFiles={([file]) => void take(file)}
      />
      <Dialog open={problem !== null} onOpenChange={() => setProblem(null)}>
        <DialogContent title="This file wasn’t imported" description={problem?.title} actions={<DialogCancel>Close</DialogCancel>}>
          {problem && problem.lines.length > 0 && (
            <ul className="grid list-disc gap-1 pl-5 text-sm">
              {problem.lines.map((line) => (
                <li key={line} className="wrap-anywhere">
                  {line}
                </li>
              ))}
            </ul>
          )}
        </DialogContent>
      </Dialog>
    </>
  )
}

class UnreadableFile extends Error {}

async function readDocument(file: File, archive: Archive | null): Promise<HuntDocument> {
  if (!archive && file.size > maxArchiveBytes) throw new UnreadableFile(`A file can be up to ${maxArchiveBytes / 1024 / 1024} MB.`)
  const document = archive ? await archive.readDocument() : file
  return asHuntDocument(await document.text())
}

/** Only checks that the file is an exported hunt. The server validates the rest and names every invalid field. */
export function asHuntDocument(text: string): HuntDocument {
  let document: Partial<HuntDocument> | null = null
  try {
    document = JSON.parse(text) as Partial<HuntDocument> | null
  } catch {
    // The file isn't JSON, so `document` remains null.
  }
  if (document?.format !== 'sungrove.hunt') {
    throw new UnreadableFile(
      `This isn’t a hunt exported from ${brand.name}. Choose a file you exported with “Export as JSON” or “Export with photos”.`,
    )
  }
  const { version }: { version?: unknown } = document
  if (typeof version === 'number' && version > 1)
    throw new UnreadableFile(`A newer version of ${brand.name} exported this hunt, so it can’t be imported here.`)
  return document as HuntDocument
}

/** A broken file tends to have the same error everywhere, so the list is limited. */
const maxLines = 8

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile || error instanceof ZipProblem) return { title: error.message, lines: [] }
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  return {
    title: messageOf(error),
    lines: [
      ...fields.slice(0, maxLines).map(([field, message]) => `${field}: ${message}`),
      ...(fields.length > maxLines ? [`and ${fields.length - maxLines} more`] : []),
    ],
  }
}
