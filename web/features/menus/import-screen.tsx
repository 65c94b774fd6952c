import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { MenuImport } from '../../../contracts/menu-imports.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { quietLink } from '../../ui/link-styles.ts'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportFile } from './import-file.tsx'
import { ImportHistory } from './import-history.tsx'
import { ImportResult } from './import-result.tsx'
import { type ImportStep, stepOf } from './import-words.ts'
import { menuImportOptions } from './menus.api.ts'

const steps = ['File', 'Columns', 'Import']

type ImportScreenProps = { business: MyBusiness; importId: string | undefined }

/** A file into the menu, in three steps. The import stands in the address: a reload goes on where it was. */
export function ImportScreen({ business, importId }: ImportScreenProps) {
  const navigate = useNavigate()
  const heading = useStepHeading(business.id, importId)
  const open = (id: string | undefined) =>
    void navigate({ to: '/business-dashboard/menu/import', search: { business: business.slug, ...(id && { import: id }) }, replace: true })
  return (
    <div className="mx-auto grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-6">
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
        <>
          <Step current={1} />
          <ImportFile business={business} begun={null} onBegun={open} />
          <ImportHistory business={business} />
        </>
      ) : (
        <OneImport business={business} importId={importId} onOpen={open} />
      )}
    </div>
  )
}

/** The heading that another step begins at: the button that led there is gone, and the page is a shorter one. */
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
    // While it runs, the bar moves.
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 600 : false),
  })
  const anew = (
    <Button variant="secondary" onClick={() => onOpen(undefined)}>
      Choose another file
    </Button>
  )
  if (!data) {
    if (!error) return <ImportSkeleton />
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      return (
        <EmptyState title="This import is no longer here" description="Its file was never sent whole, or it was removed after a while.">
          {anew}
        </EmptyState>
      )
    }
    return (
      <ErrorState
        title="The import could not be loaded"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  }
  return (
    <>
      <Step current={stepOf(data.status)} />
      <Content business={business} entry={data} onOpen={onOpen} />
      {error && data.status === 'running' && (
        <p role="alert" className="text-clay text-sm">
          How far it is cannot be seen at the moment. {messageOf(error)} The import goes on.
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
