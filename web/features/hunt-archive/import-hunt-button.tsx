import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { type HuntDocument, importHunt, maxArchiveBytes } from '../../../contracts/hunt-archive.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { randomKey } from '../../lib/random-key.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshHunts } from '../hunts/hunts.api.ts'

type Problem = { title: string; lines: string[] }

type ImportHuntButtonProps = {
  variant?: 'secondary' | 'quiet'
  /** On a phone its icon has to do. */
  isShort?: boolean
}

/** Takes an exported file and makes a hunt of it. What is wrong with the file is said; nothing is made of half of it. */
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
      toast({ title: 'Hunt imported', description: `${hunt.huntName} is yours, and private.` })
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
        <DialogContent title="This file was not imported" description={problem?.title} actions={<DialogCancel>Close</DialogCancel>}>
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
    // What is in it is checked by the server, entry by entry.
    return JSON.parse(await file.text()) as HuntDocument
  } catch {
    throw new UnreadableFile('It is no JSON file. Choose one that was exported under “Export as JSON”.')
  }
}

/** The first few of what is wrong: a broken file is mostly wrong in one way. */
const mostLines = 8

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile) return { title: error.message, lines: [] }
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  return {
    title: messageOf(error),
    lines: [
      ...fields.slice(0, mostLines).map(([field, message]) => `${field}: ${message}`),
      ...(fields.length > mostLines ? [`and ${fields.length - mostLines} more`] : []),
    ],
  }
}
