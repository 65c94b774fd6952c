import { Link } from '@tanstack/react-router'
import { type ComponentType, Fragment, lazy, Suspense, useEffect, useRef } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { HuntSearch, HuntSection } from '#web/entities/hunts/hunt-search.ts'
import { PlantsSection } from '#web/screens/plants/plants-section.tsx'
import { cx } from '#web/ui/cx.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { HuntFrame } from './hunt-frame.tsx'

type Section = ComponentType<{ hunt: Hunt }>

const RunsSection = lazy<Section>(async () => ({ default: (await import('#web/screens/plants/runs-section.tsx')).RunsSection }))
const LineageSection = lazy<Section>(async () => ({ default: (await import('#web/screens/plants/lineage-section.tsx')).LineageSection }))

const ClimateSection = lazy<Section>(async () => ({ default: (await import('#web/screens/climate/climate-section.tsx')).ClimateSection }))
const KeeperSection = lazy<Section>(async () => ({ default: (await import('#web/screens/keepers/keeper-section.tsx')).KeeperSection }))
const PanelsSection = lazy<Section>(async () => ({
  default: (await import('#web/screens/blind-panels/panels-section.tsx')).PanelsSection,
}))
const LabelsSection = lazy<Section>(async () => ({ default: (await import('#web/screens/plants/labels-section.tsx')).LabelsSection }))
const ActivitySection = lazy<Section>(async () => ({ default: (await import('./recent-activity.tsx')).ActivitySection }))
const RestoreCard = lazy(async () => ({ default: (await import('./restore-card.tsx')).RestoreCard }))
const ArchiveSection = lazy<Section>(async () => ({
  default: (await import('./archive-section.tsx')).ArchiveSection,
}))

/** Sections load on demand. With `isHeadless`, a section's headings start at level 3. */
const sections: Partial<Record<HuntSection, { name: string; Content: Section | null; isHeadless?: true }>> = {
  plants: { name: 'Plants', Content: null },
  keepers: { name: 'Keepers', Content: KeeperSection, isHeadless: true },
  runs: { name: 'Runs', Content: RunsSection },
  lineage: { name: 'Lineage', Content: LineageSection },
  climate: { name: 'Climate', Content: ClimateSection },
  panels: { name: 'Blind panels', Content: PanelsSection },
  labels: { name: 'Labels', Content: LabelsSection },
  archive: { name: 'Archive', Content: ArchiveSection, isHeadless: true },
  activity: { name: 'Activity', Content: ActivitySection },
}

export function HuntScreen({ id, search }: { id: string; search: HuntSearch }) {
  const { section = 'plants' } = search
  return (
    <HuntFrame id={id}>
      {(hunt) => (
        <>
          {hunt.abilities.write && hunt.photosAwaited > 0 && (
            <Suspense>
              <RestoreCard hunt={hunt} />
            </Suspense>
          )}
          <SectionNav hunt={hunt} open={section} />
          <div className="grid grid-cols-[minmax(0,1fr)] pt-5">
            <Suspense fallback={<SectionSkeleton />}>
              <Opened section={section} search={search} hunt={hunt} />
            </Suspense>
          </div>
        </>
      )}
    </HuntFrame>
  )
}

function Opened({ section, search, hunt }: { section: HuntSection; search: HuntSearch; hunt: Hunt }) {
  const { Content = null, name = '', isHeadless = false } = sections[section] ?? {}
  if (!Content) return <PlantsSection hunt={hunt} search={search} />
  return (
    <>
      {isHeadless && <h2 className="sr-only">{name}</h2>}
      <Content key={hunt.id} hunt={hunt} />
    </>
  )
}

const navLink =
  'relative flex min-h-12 shrink-0 items-center rounded-tag px-1.5 font-medium text-[0.9375rem] text-muted whitespace-nowrap transition-colors hover:text-ink focus-visible:-outline-offset-2'

/** Scrolls horizontally on narrow screens, starting with the open section in view. */
function SectionNav({ hunt, open }: { hunt: Hunt; open: HuntSection }) {
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another section opens
  useEffect(() => {
    const link = row.current?.querySelector('[aria-current]')
    if (!row.current || !link) return
    row.current.scrollLeft += link.getBoundingClientRect().left - row.current.getBoundingClientRect().left - 24
  }, [open])
  return (
    <nav
      ref={row}
      aria-label="This hunt"
      className="-mx-4 mt-4 flex gap-4 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] sm:-mx-6 sm:px-6 lg:mx-0 lg:px-0"
    >
      {Object.entries(sections).map(([section, { name }]) => (
        <Fragment key={section}>
          <Link
            to="/pheno-hunt/$id"
            params={{ id: hunt.id }}
            search={section === 'plants' ? {} : { section: section as HuntSection }}
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            {...(section === open && { 'aria-current': 'page' })}
            className={cx(
              navLink,
              'after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-full aria-[current]:text-ink aria-[current]:after:bg-leaf',
            )}
          >
            {name}
          </Link>
          {section === 'plants' && <OtherScreens hunt={hunt} />}
        </Fragment>
      ))}
    </nav>
  )
}

/** On narrow screens, the heading has no room for these, so they're next to the plants. */
const OtherScreens = ({ hunt }: { hunt: Hunt }) => (
  <>
    <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: hunt.id }} className={cx(navLink, 'sm:hidden')}>
      Scores
    </Link>
    {hunt.abilities.write && (
      <Link to="/pheno-hunt" search={{ tab: 'logs', hunt: hunt.id }} className={cx(navLink, 'sm:hidden')}>
        Quick Log
      </Link>
    )}
  </>
)

const SectionSkeleton = () => (
  <SkeletonGroup className="grid gap-4">
    <Skeleton className="h-12 max-w-sm" />
    <Skeleton className="h-64 rounded-card" />
  </SkeletonGroup>
)
