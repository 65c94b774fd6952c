import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { importHunt } from '#contracts/calls/hunt-archive.ts'
import type { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxArchiveBytes } from '#contracts/limits.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'

type Problem = { title: string; lines: string[] }

type ImportHuntButtonProps = {
  variant?: 'secondary' | 'quiet'
  /** Shows only the icon on phones. */
  isShort?: boolean
}

/** Creates a hunt from an exported file. Reports errors and imports all or nothing. */
export function ImportHuntButton({ variant, isShort = false }: ImportHuntButtonProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function take(file: File) {
    setSending(true)
    try {
      const hunt = await call(importHunt, { body: await readDocument(file) }, { idempotencyKey: randomKey() })
      await refreshHunts(client)
      toast({ title: 'Hunt imported', description: `${hunt.huntName} is yours and private.` })
      await navigate({ to: '/pheno-hunt/$id', params: { id: hunt.id } })
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      <Button variant={variant} className="min-h-12" pending={isSending} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        <span className={isShort ? 'max-sm:sr-only' : undefined}>Import a hunt</span>
      </Button>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        accept=".json,application/json"
        aria-label="Exported hunt"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void take(file)
        }}
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

async function readDocument(file: File): Promise<HuntDocument> {
  if (file.size > maxArchiveBytes) throw new UnreadableFile(`A file can have at most ${maxArchiveBytes / 1024 / 1024} MB.`)
  try {
    // The server validates the contents.
    return JSON.parse(await file.text()) as HuntDocument
  } catch {
    throw new UnreadableFile('This isn’t a JSON file. Choose one you exported with “Export as JSON”.')
  }
}

/** Limits the list of errors: a broken file tends to have the same one everywhere. */
const maxLines = 8

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile) return { title: error.message, lines: [] }
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  return {
    title: messageOf(error),
    lines: [
      ...fields.slice(0, maxLines).map(([field, message]) => `${field}: ${message}`),
      ...(fields.length > maxLines ? [`and ${fields.length - maxLines} more`] : []),
    ],
  }
}
