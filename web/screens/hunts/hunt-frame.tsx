import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { ArrowLeft, ClipboardCheck, NotebookPen } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import { visibilityWords } from '#web/entities/hunts/hunt-words.ts'
import { huntOptions } from '#web/entities/hunts/hunts.api.ts'
import { GrowingBar } from '#web/entities/offline/growing-bar.tsx'
import { roomWords } from '#web/entities/plants/plant-words.ts'
import { isAbsent } from '#web/lib/api-error.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { HuntMenu } from './hunt-menu.tsx'

type HuntFrameProps = {
  id: string
  /** On subpages, this link replaces the hunt's heading. */
  back?: ReactNode
  children: (hunt: Hunt) => ReactNode
}

/** At least as tall as the window, so the footer doesn't flash during loading. */
const frame = 'mx-auto grid min-h-dvh max-w-page grid-cols-[minmax(0,1fr)] content-start px-4 pt-5 pb-24 sm:px-6 sm:pt-7'

/** A hunt that the viewer can't see looks like a missing one. */
export function HuntFrame({ id, back, children }: HuntFrameProps) {
  const { data: hunt, error, refetch, isFetching } = useQuery(huntOptions(id))
  if (!hunt) {
    if (isAbsent(error)) return <NotFoundScreen />
    return (
      <div className={frame}>
        <GrowingBar className="mb-3" />
        {error ? (
          <>
            <h1 className="sr-only">Pheno hunt</h1>
            <LoadError title="This hunt couldn’t be loaded" query={{ error, refetch, isFetching }} />
          </>
        ) : (
          <FrameSkeleton />
        )}
      </div>
    )
  }
  return (
    <div className={frame}>
      <GrowingBar className="mb-3" />
      {back ?? <Heading hunt={hunt} />}
      {children(hunt)}
    </div>
  )
}

function Heading({ hunt }: { hunt: Hunt }) {
  const router = useRouter()
  const { counts, plantLimit } = hunt
  const over = plantLimit === null ? 0 : Math.max(0, counts.livingPlants - plantLimit)
  const limit = roomWords({ livingPlants: counts.livingPlants, plantLimit, overBy: over })
  return (
    <header className="grid gap-2">
      <Link to="/pheno-hunt" search={{ hunt: hunt.id }} className={`${textLink} inline-flex min-h-12 w-fit items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Pheno Hunter Pro
      </Link>
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-2">
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{hunt.huntName}</h1>
          <div className="flex flex-wrap items-center gap-2">
            <Badge variant={hunt.isActive ? 'leaf' : 'neutral'}>{hunt.isActive ? 'Active' : 'Completed'}</Badge>
            <Badge variant="outline">{visibilityWords(hunt)}</Badge>
            {hunt.access !== 'own' && <span className="text-muted text-sm">by {hunt.owner.name}</span>}
            {hunt.breeders.length > 0 && <span className="text-muted text-sm">{hunt.breeders.join(', ')}</span>}
          </div>
        </div>
        {/* On phones, Scores and Quick Log are among the sections below. */}
        <div className="flex shrink-0 items-center gap-1">
          <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: hunt.id }} className={buttonClass('secondary', 'lg', 'max-sm:hidden')}>
            <ClipboardCheck aria-hidden="true" />
            Scores
          </Link>
          {hunt.abilities.write && (
            <Link to="/pheno-hunt" search={{ tab: 'logs', hunt: hunt.id }} className={buttonClass('secondary', 'lg', 'max-sm:hidden')}>
              <NotebookPen aria-hidden="true" />
              Quick Log
            </Link>
          )}
          <HuntMenu hunt={hunt} onGone={() => void router.navigate({ to: '/pheno-hunt' })} />
        </div>
      </div>
      <p className="text-muted text-sm tabular-nums">
        {[
          counted(counts.genotypes, 'pheno'),
          counted(counts.livingPlants, 'living plant'),
          counted(counts.keepers, 'keeper'),
          `${formatNumber(counts.culled)} culled`,
        ].join(' · ')}
      </p>
      {limit && (
        <p role="note" className="w-fit rounded-input border border-line bg-sunk px-3 py-2 text-sm">
          {limit}
        </p>
      )}
    </header>
  )
}

const FrameSkeleton = () => (
  <SkeletonGroup label="Loading the hunt..." className="grid gap-4">
    <Skeleton className="my-3.5 h-5 w-36" />
    <Skeleton className="h-9 w-72 max-w-full" />
    <Skeleton className="h-5 w-56" />
    <Skeleton className="mt-4 h-12 w-full" />
    <Skeleton className="h-80 rounded-card" />
  </SkeletonGroup>
)
