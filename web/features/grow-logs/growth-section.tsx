import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Growth } from '../../../contracts/grow-logs.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { shown, type Units, unitName } from '../../lib/units.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Card } from '../../ui/card.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import type { GrowthPlant, HeightLog } from '../growing-plots/growth-rows.ts'
import { growthOptions } from './grow-logs.api.ts'
import { plantName } from './plant-names.ts'

const GrowthCurves = lazy(() => import('../growing-plots/growth-curves.tsx').then((module) => ({ default: module.GrowthCurves })))

const mostCurves = 6

/** Heights in time among the siblings. */
export function GrowthSection({ hunt }: { hunt: Pick<Hunt, 'id' | 'huntName'> }) {
  const units = useUnits()
  const growth = useQuery(growthOptions(hunt.id))
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  if (growth.isPending) {
    return (
      <SkeletonGroup label="Loading the growth curves...">
        <Skeleton className="h-96 w-full" />
      </SkeletonGroup>
    )
  }
  if (!growth.data) {
    return (
      <Card>
        <ErrorState
          level={3}
          title="The growth curves could not be loaded"
          description={messageOf(growth.error)}
          onRetry={() => void growth.refetch()}
          pending={growth.isFetching}
        />
      </Card>
    )
  }
  const measured = growth.data.plants.filter(({ points }) => points.some(({ heightCm }) => heightCm !== null))
  if (measured.length === 0) return null
  const heights = heightsOf(measured, units)
  const names = new Map(measured.map(({ plant }) => [plant.id, plantName(plant)]))
  const chosen = (picked ?? tallest(measured))
    .filter((id) => names.has(id))
    .map((plantId): GrowthPlant => ({ plantId, name: names.get(plantId) ?? '' }))
  const toggle = (id: string) => {
    const now = chosen.map(({ plantId }) => plantId)
    setPicked(now.includes(id) ? now.filter((each) => each !== id) : [...now, id].slice(-mostCurves))
  }
  return (
    <section aria-label="Growth" className="grid gap-3">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <GrowthCurves
          huntName={hunt.huntName}
          level={2}
          logs={heights}
          isUndated={heights.length === 0}
          chosen={chosen}
          by="week"
          unit={unitName('length', units)}
        />
      </Suspense>
      {measured.length > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-1.5 text-muted text-sm">Plants with a line of their own, up to {mostCurves}</legend>
          {measured.map(({ plant }) => (
            <Chip
              key={plant.id}
              pressed={chosen.some(({ plantId }) => plantId === plant.id)}
              onClick={() => toggle(plant.id)}
              className="min-h-12"
            >
              {plantName(plant)}
            </Chip>
          ))}
        </fieldset>
      )}
    </section>
  )
}

type Curve = Growth['plants'][number]

/** A log without a week has no place on the curve. */
const heightsOf = (curves: readonly Curve[], units: Units): HeightLog[] =>
  curves.flatMap(({ plant, points }) =>
    points.flatMap(({ week, heightCm }) =>
      week === null || heightCm === null ? [] : [{ plantId: plant.id, at: week, height: shown(heightCm, 'length', units) }],
    ),
  )

const lastHeight = ({ points }: Curve): number => points.findLast(({ heightCm }) => heightCm !== null)?.heightCm ?? 0

/** To begin with, the three that stand highest. */
const tallest = (curves: readonly Curve[]): string[] =>
  [...curves]
    .sort((a, b) => lastHeight(b) - lastHeight(a))
    .slice(0, 3)
    .map(({ plant }) => plant.id)
