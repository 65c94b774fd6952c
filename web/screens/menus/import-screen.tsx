import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { maxMenuRows } from '#contracts/limits.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { FileInput } from '#web/entities/media/file-choice.tsx'
import { useFileDrop } from '#web/entities/media/use-file-drop.ts'
import { cacheImport, menuImportOptions } from '#web/entities/menus/menus.api.ts'
import { menuFileProblem, uploadMenuFile } from '#web/entities/menus/upload-menu-file.ts'
import { isAbsent, messageOf } from '#web/lib/api-error.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { quietLink, textLink } from '#web/ui/link-styles.ts'
import { Progress } from '#web/ui/progress.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportHistory, ImportResult } from './import-result.tsx'
import { type ImportStep, stepOf } from './menu-words.ts'

const steps = ['File', 'Columns', 'Import']

type ImportScreenProps = { business: MyBusiness; importId: string | undefined }

/** A reload continues the import, because the address has its ID. */
export function ImportScreen({ business, importId }: ImportScreenProps) {
  const navigate = useNavigate()
  const heading = useStepHeading(business.id, importId)
  const open = (id: string | undefined) =>
    void navigate({ to: '/business-dashboard/menu/import', search: { business: business.slug, ...(id && { import: id }) }, replace: true })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <Link
          to="/business-dashboard/menu"
          search={{ business: business.slug }}
          className={`${quietLink} inline-flex items-center gap-1.5 text-sm`}
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          Menu
        </Link>
        <h2 ref={heading} tabIndex={-1} className="mt-2 scroll-mt-24 text-xl">
          Import a menu
        </h2>
      </div>
      {importId === undefined ? (
        <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-6">
          <Step current={1} />
          <ImportFile business={business} begun={null} onBegun={open} />
          <ImportHistory business={business} />
        </div>
      ) : (
        <OneImport business={business} importId={importId} onOpen={open} />
      )}
    </div>
  )
}

/** Focuses the heading at each new step, because the previous step's button, which had focus, is gone. */
function useStepHeading(businessId: string, importId: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { data } = useQuery({ ...menuImportOptions(businessId, importId ?? ''), enabled: importId !== undefined })
  const step = importId === undefined ? 1 : data ? stepOf(data.status) : null
  const last = useRef(step)
  useEffect(() => {
    if (step === null || step === last.current) return
    const isFirst = last.current === null
    last.current = step
    if (isFirst) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [step])
  return heading
}

const Step = ({ current }: { current: ImportStep }) => <Stepper steps={steps} current={current} />

function OneImport({ business, importId, onOpen }: { business: MyBusiness; importId: string; onOpen: (id: string | undefined) => void }) {
  const { data, error, refetch, isFetching } = useQuery({
    ...menuImportOptions(business.id, importId),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 600 : false),
  })
  const startOver = (
    <Button variant="secondary" onClick={() => onOpen(undefined)}>
      Choose another file
    </Button>
  )
  if (!data) {
    if (!error) return <ImportSkeleton />
    if (isAbsent(error)) {
      return (
        <EmptyState title="Import not found" description="Its file was never fully uploaded, or the import was deleted after a while.">
          {startOver}
        </EmptyState>
      )
    }
    return <LoadError title="The import couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  return (
    <>
      <Step current={stepOf(data.status)} />
      <Content business={business} entry={data} onOpen={onOpen} />
      {error && data.status === 'running' && (
        <p role="alert" className="text-clay text-sm">
          Progress isn’t available right now. {messageOf(error)} The import is still running.
        </p>
      )}
    </>
  )
}

function Content({ business, entry, onOpen }: { business: MyBusiness; entry: MenuImport; onOpen: (id: string | undefined) => void }) {
  if (entry.status === 'receiving')
    return <ImportFile business={business} begun={entry} onBegun={onOpen} onAnew={() => onOpen(undefined)} />
  if (entry.status === 'ready') return <ImportColumns business={business} entry={entry} onAnew={() => onOpen(undefined)} />
  return <ImportResult business={business} entry={entry} onAnew={() => onOpen(undefined)} />
}

const ImportSkeleton = () => (
  <SkeletonGroup label="Loading the import..." className="grid gap-4">
    <Skeleton className="h-6 w-64 rounded-full" />
    <Skeleton className="h-72 rounded-card" />
  </SkeletonGroup>
)

type ImportFileProps = {
  business: MyBusiness
  begun: MenuImport | null
  onBegun: (importId: string) => void
  onAnew?: () => void
}

function ImportFile({ business, begun, onBegun, onAnew }: ImportFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const { sending, error, send, cancel } = useSendMenuFile(business.id, onBegun)
  const take = (files: File[]) => {
    const [file] = files
    if (file && !sending) send(file, begun)
  }
  const { isOver, handlers } = useFileDrop(take)
  return (
    <section aria-label="File" className="grid gap-4">
      <div
        {...handlers}
        className={cx(
          'grid min-h-64 content-center justify-items-center gap-3 rounded-card border border-dashed px-5 py-10 text-center transition-colors',
          isOver ? 'border-leaf bg-leaf-soft' : 'border-edge bg-surface',
        )}
      >
        {sending ? (
          <div className="grid w-full max-w-sm gap-3">
            <p className="font-medium wrap-anywhere">{sending.name}</p>
            <Progress label={`Uploading ${sending.name}`} value={sending.percent} />
            <p className="text-muted text-sm tabular-nums" role="status">
              {sending.percent < 100 ? `${sending.percent}% sent` : 'Reading the file'}
            </p>
            <Button variant="quiet" size="sm" className="justify-self-center" onClick={cancel}>
              Cancel
            </Button>
          </div>
        ) : (
          <>
            <span className="grid size-14 place-items-center rounded-full bg-leaf-soft text-leaf">
              <FileUp aria-hidden="true" className="size-6" />
            </span>
            {begun ? (
              <>
                <p className="font-medium">“{begun.fileName}” wasn’t fully uploaded</p>
                <p className="max-w-text text-muted text-sm">
                  {Math.floor((begun.receivedBytes / begun.byteSize) * 100)}% was uploaded before you left the page. Choose the file again
                  to continue.
                </p>
              </>
            ) : (
              <>
                <p className="font-medium">{isOver ? 'Drop it to upload' : 'Drop a CSV or Excel file here'}</p>
                <p className="max-w-text text-balance text-muted text-sm">
                  From your point of sale or a spreadsheet: at most 10 MB and {formatNumber(maxMenuRows)} rows. Nothing will change until
                  you’ve reviewed it.
                </p>
              </>
            )}
            <div className="mt-1 flex flex-wrap justify-center gap-2">
              <Button onClick={() => input.current?.click()}>Choose file</Button>
              {onAnew && (
                <Button variant="secondary" onClick={onAnew}>
                  Start over
                </Button>
              )}
            </div>
          </>
        )}
        {error && (
          <div role="alert" className="grid justify-items-center gap-2">
            <FieldError>{error.message}</FieldError>
            {error.file && (
              <Button variant="secondary" size="sm" onClick={() => error.file && send(error.file, begun)}>
                Retry
              </Button>
            )}
          </div>
        )}
      </div>
      <FileInput ref={input} accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain" label="Menu file" onFiles={take} />
      {!begun && (
        <p className="text-muted text-sm">
          No file handy?{' '}
          <a href={`/api/businesses/${business.id}/menu.csv`} download className={textLink}>
            Download your menu as CSV
          </a>
          , edit it in a spreadsheet and upload it here. We match items by SKU, or by name, brand and weight.
        </p>
      )}
    </section>
  )
}

type Sending = { name: string; percent: number }

function useSendMenuFile(businessId: string, onBegun: (importId: string) => void) {
  const client = useQueryClient()
  const [sending, setSending] = useState<Sending | null>(null)
  const [error, setError] = useState<{ message: string; file: File | null } | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function send(file: File, begun: MenuImport | null) {
    const problem = menuFileProblem(file)
    if (problem) return setError({ message: problem, file: null })
    if (begun && begun.byteSize !== file.size) {
      return setError({ message: `This is a different file. Choose “${begun.fileName}” again, or start over.`, file: null })
    }
    setError(null)
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    try {
      const onProgress = (percent: number) => setSending({ name: file.name, percent })
      const done = await uploadMenuFile({ businessId, file, begun, signal, onProgress })
      cacheImport(client, businessId, done)
      setSending(null)
      onBegun(done.id)
    } catch (caught) {
      if (signal.aborted) return
      setSending(null)
      setError({ message: messageOf(caught), file })
    }
  }

  return {
    sending,
    error,
    send: (file: File, begun: MenuImport | null = null) => void send(file, begun),
    cancel: () => {
      running.current?.abort()
      setSending(null)
    },
  }
}
