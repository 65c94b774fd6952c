import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { undoMenuImport } from '#contracts/calls/menu-imports.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { fileFieldName } from '#web/entities/menus/menu-fields.ts'
import { cacheImport, itemsHaveChanged, menuImportsOptions, refreshImports } from '#web/entities/menus/menus.api.ts'
import { isConflict } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { MorePages } from '#web/ui/paged-list.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { importWords } from './menu-words.ts'

type ImportResultProps = { business: MyBusiness; entry: MenuImport; onAnew: () => void }

export function ImportResult({ business, entry, onAnew }: ImportResultProps) {
  const client = useQueryClient()
  const { status } = entry
  useEffect(() => {
    void refreshImports(client)
    if (status !== 'running') void itemsHaveChanged(client)
  }, [client, status])
  if (status === 'running') {
    const percent = entry.rowsTotal > 0 ? (entry.rowsDone / entry.rowsTotal) * 100 : undefined
    return (
      <section aria-label="Import" className="grid gap-3 rounded-card border border-line bg-surface px-5 py-8">
        <h3 className="text-lg">Importing “{entry.fileName}”</h3>
        <Progress label="Import" value={percent} />
        <p role="status" className="text-muted text-sm tabular-nums">
          {importWords(entry)}
        </p>
        <p className="text-muted text-sm">You can leave this page. The import continues.</p>
      </section>
    )
  }
  const isDone = status === 'done'
  const Icon = status === 'failed' ? CircleX : status === 'undone' ? Undo2 : CircleCheck
  return (
    <div className="grid max-w-4xl gap-6">
      <section
        aria-label="Result"
        className="grid justify-items-start gap-x-4 gap-y-4 rounded-card border border-line bg-surface px-5 py-6 sm:grid-cols-[auto_minmax(0,1fr)]"
      >
        <Icon aria-hidden="true" className={`size-8 ${status === 'failed' ? 'text-clay' : isDone ? 'text-leaf' : 'text-muted'}`} />
        <div className="grid gap-4">
          <div>
            <h3 className="text-lg">{titles[status]}</h3>
            <p role="status" className="mt-1 text-muted tabular-nums wrap-anywhere">
              {importWords(entry)}
              {status === 'failed' && entry.error && ' Nothing was changed.'}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button asChild>
              <Link to="/business-dashboard/menu" search={{ business: business.slug }}>
                See the menu
              </Link>
            </Button>
            {entry.canUndo && <UndoButton business={business} entry={entry} />}
            <Button variant="quiet" onClick={onAnew}>
              Import another file
            </Button>
          </div>
        </div>
      </section>
      {entry.rowErrors.length > 0 && (
        <section aria-labelledby="errors-title" className="grid gap-3">
          <h3 id="errors-title" className="text-lg">
            {isDone ? 'Skipped rows' : 'Problems in the file'}
          </h3>
          <RowErrors errors={entry.rowErrors} />
          {isDone && <RejectedRowsLink business={business} entry={entry} />}
        </section>
      )}
      {isDone && entry.rowNotes.length > 0 && (
        <section aria-labelledby="notes-title" className="grid gap-3">
          <h3 id="notes-title" className="text-lg">
            Imported rows to check
          </h3>
          <RowErrors errors={entry.rowNotes} />
        </section>
      )}
    </div>
  )
}

export const RejectedRowsLink = ({ business, entry }: Pick<ImportResultProps, 'business' | 'entry'>) => (
  <p className="text-sm">
    <a href={`/api/businesses/${business.id}/menu-imports/${entry.id}/rejected.csv`} download className={textLink}>
      Download {entry.rowsRefused === 1 ? 'this row' : 'these rows'} with the {entry.rowsRefused === 1 ? 'reason' : 'reasons'}
    </a>
    <span className="text-muted"> as CSV, to fix and upload later.</span>
  </p>
)

const titles: Record<Exclude<MenuImport['status'], 'running'>, string> = {
  receiving: 'Waiting for the file',
  ready: 'Not started',
  done: 'Your menu is up to date',
  failed: 'The file wasn’t imported',
  undone: 'The import was undone',
}

export function UndoButton({ business, entry, size }: { business: MyBusiness; entry: MenuImport; size?: 'sm' }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const undoing = useMutation({
    mutationFn: (anyway: boolean) => call(undoMenuImport, { params: { id: business.id, importId: entry.id }, body: { anyway } }),
    onSuccess: (answer) => {
      setAsking(false)
      cacheImport(client, business.id, answer)
      void refreshImports(client)
      void itemsHaveChanged(client)
    },
    onError: (error, anyway) => {
      if (!anyway && isConflict(error)) setAsking(true)
    },
  })
  return (
    <>
      <Button variant="secondary" size={size} pending={undoing.isPending} pendingText="Undoing..." onClick={() => undoing.mutate(false)}>
        <Undo2 aria-hidden="true" />
        Undo
      </Button>
      {undoing.isError && !isAsking && <FormError className="basis-full">The import wasn’t undone. {messageOf(undoing.error)}</FormError>}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Undo the import and later changes?"
        confirmText="Undo anyway"
        pending={undoing.isPending}
        pendingText="Undoing..."
        onConfirm={() => undoing.mutate(true)}
      >
        {undoing.isError ? messageOf(undoing.error) : 'Some of its items have been edited since. Those edits would be lost.'}
      </ConfirmDialog>
    </>
  )
}

const badges: Record<MenuImport['status'], { words: string; variant: 'leaf' | 'clay' | 'neutral' | 'outline' }> = {
  receiving: { words: 'Not uploaded', variant: 'outline' },
  ready: { words: 'Waiting', variant: 'outline' },
  running: { words: 'Running', variant: 'neutral' },
  done: { words: 'Done', variant: 'leaf' },
  failed: { words: 'Failed', variant: 'clay' },
  undone: { words: 'Undone', variant: 'neutral' },
}

export function ImportHistory({ business }: { business: MyBusiness }) {
  const list = useInfiniteQuery({ ...menuImportsOptions(business.id), refetchOnMount: 'always' })
  const entries = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.data && entries.length === 0) return null
  return (
    <section aria-labelledby="imports-title">
      <h3 id="imports-title" className="text-lg">
        Earlier imports
      </h3>
      {list.isPending && (
        <SkeletonGroup label="Loading the imports..." className="mt-3 grid gap-3">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </SkeletonGroup>
      )}
      {list.isError && !list.data && <LoadError level={3} title="The earlier imports couldn’t be loaded" query={list} />}
      {entries.length > 0 && (
        <ul className="mt-3 overflow-clip rounded-card border border-line bg-surface">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 py-3 not-first:border-t">
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Link
                    to="/business-dashboard/menu/import"
                    search={{ business: business.slug, import: entry.id }}
                    className={`${textLink} wrap-anywhere`}
                  >
                    {entry.fileName}
                  </Link>
                  <Badge variant={badges[entry.status].variant}>{badges[entry.status].words}</Badge>
                </p>
                <p className="text-muted text-sm tabular-nums">
                  <Ago at={entry.createdAt} />
                  {entry.keyName !== null && ' · By API key'} · {importWords(entry)}
                </p>
              </div>
              {entry.canUndo && <UndoButton business={business} entry={entry} size="sm" />}
            </li>
          ))}
        </ul>
      )}
      <MorePages list={list} />
    </section>
  )
}

const maxErrors = 100

export function RowErrors({ errors }: { errors: MenuImport['rowErrors'] }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <ul aria-label="Rows" tabIndex={0} className="max-h-72 overflow-y-auto rounded-card border border-line bg-surface text-sm">
        {errors.map(({ row, field, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list arrives complete and is never reordered
          <li key={index} className="flex gap-4 border-line px-4 py-2 not-first:border-t">
            <span className="w-20 shrink-0 text-muted tabular-nums">Row {formatNumber(row)}</span>
            <span className="min-w-0 wrap-anywhere">
              {field && <b className="font-semibold">{fileFieldName(field)}: </b>}
              {message}
            </span>
          </li>
        ))}
      </ul>
      {errors.length >= maxErrors && <p className="text-muted text-sm">Showing the first {maxErrors}.</p>}
    </>
  )
}
