import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { PhenoHuntTab } from '#web/entities/hunts/hunt-search.ts'
import { huntsOptions, summaryOptions } from '#web/entities/hunts/hunts.api.ts'
import { whenKeeping } from '#web/entities/offline/shell.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Own and shared hunts, and the selected one: the one in the address, otherwise the newest active one. */
export function useMyHunts(named: string | undefined) {
  const list = useInfiniteQuery(huntsOptions)
  const hunts = list.data?.pages.flatMap(({ items }) => items) ?? []
  const selected = hunts.find(({ id }) => id === named) ?? hunts.find(({ isActive }) => isActive) ?? hunts[0]
  return { list, hunts, selected }
}

export type MyHunts = ReturnType<typeof useMyHunts>

const maxReady = 3

/**
 * Prefetches the newest active hunts, so that they work offline in the grow room even if never opened. Only if offline storage is
 * enabled.
 */
export function useReadyHunts(hunts: readonly Hunt[]): void {
  const client = useQueryClient()
  const account = useCurrentUser()?.id
  const ids = hunts
    .filter(({ isActive, abilities }) => isActive && abilities.write)
    .slice(0, maxReady)
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    if (!account || ids === '') return
    whenKeeping(account, () => void ready(ids.split(' ')).catch(() => undefined))
    async function ready(each: readonly string[]) {
      const { readyHunt } = await import('./ready-hunt.ts')
      for (const id of each) await readyHunt(client, id)
    }
  }, [client, account, ids])
}

type HuntPickerProps = { tab: PhenoHuntTab; hunts: readonly Hunt[]; selected: Hunt }

export function HuntPicker({ tab, hunts, selected }: HuntPickerProps) {
  const router = useRouter()
  const choose = (hunt: string) => void router.navigate({ to: '/pheno-hunt', search: { tab, hunt }, replace: true, resetScroll: false })
  return (
    <Field label="Hunt" className="sm:max-w-sm">
      <Select value={selected.id} onChange={(event) => choose(event.target.value)} className="[&_select]:min-h-12">
        {hunts.map(({ id, huntName, isActive }) => (
          <option key={id} value={id}>
            {huntName}
            {isActive ? '' : ' (completed)'}
          </option>
        ))}
      </Select>
    </Field>
  )
}

export function QuickStats() {
  const { data, isError } = useQuery(summaryOptions)
  if (isError && !data) return null
  const figures = [
    ['Active hunts', data?.active],
    ['Completed', data?.completed],
    ['Living plants', data?.livingPlants],
    ['Keepers', data?.keepers],
  ] as const
  return (
    <section aria-labelledby="quick-stats" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="quick-stats" className="text-xl">
          Quick Stats
        </h2>
        {/* Hunts shared by others are listed but not counted here. */}
        <p className="text-muted text-sm">Your own hunts</p>
      </div>
      <Card asChild>
        <dl className="grid grid-cols-2 gap-px bg-line">
          {figures.map(([name, value]) => (
            <div key={name} className="flex flex-col-reverse bg-surface px-4 py-3.5">
              <dt className="font-normal! text-muted text-sm">{name}</dt>
              <dd className="font-display text-2xl tabular-nums">
                {value === undefined ? <Skeleton className="h-8 w-10" /> : formatNumber(value)}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </section>
  )
}
