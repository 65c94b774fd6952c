import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { OutOfRunning } from '#agronomy/hunt-ranking.ts'
import { meanOfPlants } from '#agronomy/statistics.ts'
import { updateHunt } from '#contracts/calls/hunts.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { numberText } from '#web/entities/growing-plots/plot-table.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { fullName } from '#web/entities/plants/plant-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

type NotInRunningProps = {
  hunt: Hunt
  outOfRunning: readonly OutOfRunning[]
  genotypes: ReadonlyMap<string, Genotype>
  traits: readonly Trait[]
  records: readonly TraitRecord[]
}

export function NotInRunning({ hunt, outOfRunning, genotypes, traits, records }: NotInRunningProps) {
  const id = useId()
  const scored = traits.filter(({ direction, isArchived, weight }) => direction !== 'none' && !isArchived && weight > 0)
  const recordsOf = Map.groupBy(records, ({ genotypeId, traitId }) => `${genotypeId} ${traitId}`)
  const hasHarvested = hunt.ranksHarvested || outOfRunning.some(({ reason }) => reason === 'harvested')
  const hasSexed = hunt.selectsMales || outOfRunning.some(({ reason }) => reason === 'male')
  if (outOfRunning.length === 0 && !hasHarvested && !hasSexed) return null
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-3">
          <h3 id={`${id}-title`} className="text-lg">
            Not in the running
          </h3>
          {hunt.abilities.write && <WhoCompetes hunt={hunt} hasHarvested={hasHarvested} hasSexed={hasSexed} />}
          {outOfRunning.length > 0 && (
            <details open={outOfRunning.length <= fewPhenos}>
              <summary className="flex min-h-11 cursor-pointer items-center text-sm">
                {outOfRunning.length === 1 ? '1 pheno' : `${formatNumber(outOfRunning.length)} phenos`} not ranked above
              </summary>
              <div className="overflow-x-auto">
                <table className="w-full text-sm tabular-nums">
                  <thead className="text-muted">
                    <tr className="border-line border-b text-right">
                      <th className="py-2 pr-3 text-left font-medium">Pheno</th>
                      <th className="px-3 text-left font-medium">Why</th>
                      {scored.map((trait) => (
                        <th key={trait.id} className="px-3 font-medium">
                          {trait.name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {outOfRunning.map(({ id: genotypeId, reason, traitId }) => {
                      const genotype = genotypes.get(genotypeId)
                      return (
                        <tr key={genotypeId} className="border-line border-b text-right last:border-0">
                          <th scope="row" className="py-2 pr-3 text-left font-medium">
                            {genotype && (
                              <Link
                                to="/pheno-hunt/$id/plants/$number"
                                params={{ id: hunt.id, number: String(genotype.number) }}
                                className={`${textLink} inline-flex min-h-6 items-center`}
                              >
                                {fullName(genotype)}
                              </Link>
                            )}
                          </th>
                          <td className="px-3 text-left">{reasonText(reason, traits.find((trait) => trait.id === traitId)?.name)}</td>
                          {scored.map((trait) => (
                            <td key={trait.id} className="px-3">
                              {meanText(recordsOf.get(`${genotypeId} ${trait.id}`) ?? [])}
                            </td>
                          ))}
                        </tr>
                      )
                    })}
                  </tbody>
                </table>
              </div>
            </details>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

export function reasonText(reason: OutOfRunning['reason'], traitName: string | undefined): string {
  switch (reason) {
    case 'culled':
      return 'Culled'
    case 'must':
      return `Ruled out by ${traitName ?? 'a trait'}`
    case 'male':
      return 'Male'
    case 'female':
      return 'Female'
    case 'intersex':
      return 'Intersex'
    case 'harvested':
      return 'Harvested, with no living plant or clone'
    case 'gone':
      return 'No living plant or clone'
  }
}

const fewPhenos = 12

/** The same number as in the data tracker's matrix. */
export function meanText(records: readonly TraitRecord[]): string {
  const measured = meanOfPlants(records)
  return measured ? numberText(measured.mean) : 'not scored'
}

type Change = { ranksHarvested?: boolean; selectsMales?: boolean }

function WhoCompetes({ hunt, hasHarvested, hasSexed }: { hunt: Hunt; hasHarvested: boolean; hasSexed: boolean }) {
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (change: Change) => call(updateHunt, { params: { id: hunt.id }, body: { ...change, version: hunt.version } }),
    onSuccess: () => refreshHunts(client),
    onError: (error) => {
      toast({ title: 'The setting couldn’t be saved', description: messageOf(error), variant: 'destructive' })
      // Someone else may have changed the hunt, and the next attempt needs its new version.
      return refreshHunts(client)
    },
  })
  // While saving, the boxes aren't `disabled`, which would make them lose focus.
  const save = (change: Change) => !saving.isPending && saving.mutate(change)
  const isSaving = saving.isPending || undefined
  return (
    <>
      {hasHarvested && (
        <Checkbox
          checked={hunt.ranksHarvested}
          aria-disabled={isSaving}
          onChange={(event) => save({ ranksHarvested: event.target.checked })}
        >
          Also rank harvested phenos with no living plant
        </Checkbox>
      )}
      {hasSexed && (
        <Checkbox checked={hunt.selectsMales} aria-disabled={isSaving} onChange={(event) => save({ selectsMales: event.target.checked })}>
          Choose a father: rank males instead of females
        </Checkbox>
      )}
    </>
  )
}
