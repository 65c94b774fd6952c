import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileArchive } from 'lucide-react'
import { useState } from 'react'
import { type DataExport, exportDays, getDataExportLink, startDataExport } from '../../../contracts/own-data.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { ProvenDialog } from '../sign-in/proven-dialog.tsx'
import { exportsOptions } from './own-data.api.ts'
import { dayWords, sizeWords } from './own-data-words.ts'

/** A file of everything: asked for, made, downloaded. */
export function ExportRow() {
  const exports = useQuery(exportsOptions)
  const start = useStart()
  const [latest] = exports.data ?? []
  const isMaking = latest?.status === 'making'
  return (
    <SettingsTopic
      title="Download your data"
      hint="Everything that is stored about you as JSON, with your photos, videos and documents. What others wrote to you is theirs, and not in it."
      action={
        <Button
          variant="secondary"
          disabled={isMaking || exports.data === undefined}
          pending={start.isPending}
          pendingText="Asking..."
          onClick={() => start.mutate()}
        >
          {latest?.status === 'ready' ? 'Make a new file' : 'Make a file'}
        </Button>
      }
    >
      <Loaded
        query={exports}
        loadingLabel="Loading your files..."
        skeleton={<Skeleton className="h-16 rounded-input" />}
        failure="Your files could not be loaded"
      >
        {(list) =>
          list.length > 0 && (
            <ul aria-label="Your files" className="grid gap-2.5">
              {list.slice(0, 3).map((each) => (
                <li key={each.id} className="rounded-input border border-line p-4">
                  <ExportState state={each} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </SettingsTopic>
  )
}

function useStart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(startDataExport, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: exportsOptions.queryKey }),
    onError: (error) => toast({ title: 'No file is made', description: messageOf(error), variant: 'destructive' }),
  })
}

function ExportState({ state }: { state: DataExport }) {
  if (state.status === 'making') {
    return (
      <div className="grid gap-2.5" aria-live="polite">
        <p className="font-medium text-sm">Your file is being made</p>
        <Progress label="Your file" value={state.progress > 0 ? state.progress : undefined} />
        <p className="text-muted text-sm">You can leave this page. We mail you when it is ready.</p>
      </div>
    )
  }
  if (state.status === 'failed') {
    return (
      <div aria-live="polite">
        <p className="font-medium text-clay text-sm">The file of {dayWords(state.requestedAt)} could not be made</p>
        <p className="text-muted text-sm">The fault is ours, and nothing is lost. Make a new one.</p>
      </div>
    )
  }
  return <ReadyExport state={state} />
}

function ReadyExport({ state }: { state: DataExport }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3" aria-live="polite">
      <div className="flex min-w-0 items-center gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf">
          <FileArchive aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0">
          <p className="font-medium text-sm">Your data of {dayWords(state.requestedAt)}</p>
          <p className="text-muted text-sm">
            ZIP, {sizeWords(state.byteSize ?? 0)}. Kept until {dayWords(state.expiresAt ?? state.requestedAt)}.
          </p>
        </div>
      </div>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden="true" />
        Download
      </Button>
      {isOpen && (
        <ProvenDialog
          title="Download your data"
          confirmText="Download"
          pendingText="Preparing..."
          onConfirm={async (password) => {
            const { path } = await call(getDataExportLink, { params: { id: state.id }, body: { password } })
            window.location.assign(path)
          }}
          onClose={() => setOpen(false)}
        >
          <p className="text-muted">
            The file holds all that is private to you. Keep it where nobody else finds it; here it is deleted after {exportDays} days.
          </p>
        </ProvenDialog>
      )}
    </div>
  )
}
