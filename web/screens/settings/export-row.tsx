import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileArchive } from 'lucide-react'
import { useState } from 'react'
import { getAccountDeletion, getDataExportLink, listDataExports, startDataExport } from '#contracts/calls/own-data.ts'
import { exportDays } from '#contracts/limits.ts'
import type { DataExport } from '#contracts/own-data.endpoints.ts'
import { ProvenDialog } from '#web/entities/accounts/proof.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions, refreshCalls } from '#web/lib/call.ts'
import { dateFormat, formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { SettingsTopic } from '#web/ui/settings-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function ExportRow() {
  const exports = useQuery(exportsOptions)
  const start = useStart()
  const [latest] = exports.data ?? []
  const isMaking = latest?.status === 'making'
  return (
    <SettingsTopic
      title="Download your data"
      hint="JSON files with your data, plus your photos, videos and documents. Messages from others and secrets such as your password aren’t included. The download explains what it leaves out."
      action={
        <Button
          variant="secondary"
          disabled={isMaking || exports.data === undefined}
          pending={start.isPending}
          pendingText="Preparing..."
          onClick={() => start.mutate()}
        >
          {latest?.status === 'ready' ? 'Prepare new download' : 'Prepare download'}
        </Button>
      }
    >
      <Loaded
        query={exports}
        loadingLabel="Loading your downloads..."
        skeleton={<Skeleton className="h-16 rounded-input" />}
        failure="Your downloads couldn’t be loaded"
      >
        {(list) =>
          list.length > 0 && (
            <ul aria-label="Your downloads" className="grid gap-2.5">
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
    onSuccess: () => refreshExports(client),
    onError: (error) => toast({ title: 'The download couldn’t be prepared', description: messageOf(error), variant: 'destructive' }),
  })
}

function ExportState({ state }: { state: DataExport }) {
  if (state.status === 'making') {
    return (
      <div className="grid gap-2.5" aria-live="polite">
        <p className="font-medium text-sm">We’re preparing your download</p>
        <Progress label="Your download" value={state.progress > 0 ? state.progress : undefined} />
        <p className="text-muted text-sm">You can leave this page. We’ll email you when it’s ready.</p>
      </div>
    )
  }
  if (state.status === 'failed') {
    return (
      <div aria-live="polite">
        <p className="font-medium text-clay text-sm">Your download from {dayWords(state.requestedAt)} couldn’t be prepared</p>
        <p className="text-muted text-sm">It’s our fault, and you haven’t lost anything. Prepare a new download.</p>
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
          <p className="font-medium text-sm">Your data from {dayWords(state.requestedAt)}</p>
          <p className="text-muted text-sm">
            ZIP, {formatBytes(state.byteSize ?? 0)}. Available until {dayWords(state.expiresAt ?? state.requestedAt)}.
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
            This file contains your private data. Keep it somewhere safe. We’ll delete our copy after {exportDays} days.
          </p>
        </ProvenDialog>
      )}
    </div>
  )
}

const lookEveryMs = 2_000

const exportsOptions = queryOptions({
  ...callOptions(listDataExports, {}),
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'making') ? lookEveryMs : false),
})

/** Refetched whenever it's shown, because people come back after removing what prevents the deletion. */
export const deletionOptions = { ...callOptions(getAccountDeletion, {}), staleTime: 0 }

const refreshExports = (client: QueryClient): Promise<void> => refreshCalls(client, [listDataExports])

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** "December 5, 2026" */
export const dayWords = (iso: string): string => day.format(new Date(iso))
