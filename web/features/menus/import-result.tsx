import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { listMenuImports, type MenuImport, undoMenuImport } from '../../../contracts/menu-imports.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { importWords } from './import-words.ts'
import { itemsHaveChanged } from './menu-caches.ts'
import { menuImportOptions } from './menus.api.ts'
import { RowErrors } from './row-errors.tsx'

type ImportResultProps = { business: MyBusiness; entry: MenuImport; onAnew: () => void }

/** The third step: how far it is, and what has come of it. */
export function ImportResult({ business, entry, onAnew }: ImportResultProps) {
  const client = useQueryClient()
  const { status } = entry
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [listMenuImports.path] })
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
        <p className="text-muted text-sm">You can leave this page: it goes on.</p>
      </section>
    )
  }
  const isDone = status === 'done'
  const Icon = status === 'failed' ? CircleX : status === 'undone' ? Undo2 : CircleCheck
  return (
    <div className="grid gap-6">
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
            {isDone ? 'Rows that were left out' : 'What is wrong in the file'}
          </h3>
          <RowErrors errors={entry.rowErrors} />
        </section>
      )}
    </div>
  )
}

const titles: Record<Exclude<MenuImport['status'], 'running'>, string> = {
  receiving: 'Waiting for the file',
  ready: 'Not started',
  done: 'Your menu is up to date',
  failed: 'The file was not imported',
  undone: 'The import was undone',
}

/** Puts the menu back; when items were changed by hand since, it asks first. */
export function UndoButton({ business, entry, size }: { business: MyBusiness; entry: MenuImport; size?: 'sm' }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const undoing = useMutation({
    mutationFn: (anyway: boolean) => call(undoMenuImport, { params: { id: business.id, importId: entry.id }, body: { anyway } }),
    onSuccess: (answer) => {
      setAsking(false)
      client.setQueryData(menuImportOptions(business.id, entry.id).queryKey, answer)
      void client.invalidateQueries({ queryKey: [listMenuImports.path] })
      void itemsHaveChanged(client)
    },
    onError: (error, anyway) => {
      if (!anyway && error instanceof ApiError && error.code === 'conflict') setAsking(true)
    },
  })
  return (
    <>
      <Button variant="secondary" size={size} pending={undoing.isPending} pendingText="Undoing..." onClick={() => undoing.mutate(false)}>
        <Undo2 aria-hidden="true" />
        Undo
      </Button>
      {undoing.isError && !isAsking && (
        <div role="alert" className="basis-full">
          <FieldError>The import was not undone. {messageOf(undoing.error)}</FieldError>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Undo the import and later changes?"
        confirmText="Undo anyway"
        pending={undoing.isPending}
        pendingText="Undoing..."
        onConfirm={() => undoing.mutate(true)}
      >
        {undoing.isError ? messageOf(undoing.error) : 'Some of its items were changed by hand since. Those changes would be lost.'}
      </ConfirmDialog>
    </>
  )
}
