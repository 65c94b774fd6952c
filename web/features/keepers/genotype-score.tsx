import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId, useState } from 'react'
import type { Standing } from '../../../agronomy/rank.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import type { Trait } from '../../../contracts/traits.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { standingWords } from '../plants/plant-words.ts'
import { chanceText } from './ranking-words.ts'

const DecideDialog = lazy(async () => ({ default: (await import('../plants/decide-dialog.tsx')).DecideDialog }))

type GenotypeScoreProps = {
  hunt: Hunt
  standing: Standing
  standings: readonly Standing[]
  genotype: Genotype | undefined
  nameOf: (id: string) => string
  traits: readonly Trait[]
  onChoose: (genotypeId: string) => void
}

/** How one phenotype comes to its score, trait by trait, and the decision about it. */
export function GenotypeScore({ hunt, standing, standings, genotype, nameOf, traits, onChoose }: GenotypeScoreProps) {
  const id = useId()
  const [isDeciding, setDeciding] = useState(false)
  const traitOf = new Map(traits.map((trait) => [trait.id, trait]))
  const [low, high] = standing.interval80
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-4">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <h3 id={`${id}-title`} className="text-lg">
              Why {nameOf(standing.id)} scores {standing.score.toFixed(1)}
            </h3>
            <Field label="Phenotype" className="w-44">
              <Select value={standing.id} onChange={(event) => onChoose(event.target.value)}>
                {standings.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.rank}. {nameOf(each.id)}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <p className="text-muted">
            Its true score lies between {low.toFixed(1)} and {high.toFixed(1)} with 80% certainty. It is truly the best with{' '}
            {chanceText(standing.pBest)} and among the best three with {chanceText(standing.pTop3)}.
          </p>
          <div className="overflow-x-auto" tabIndex={-1}>
            <table className="w-full min-w-md text-sm tabular-nums">
              <thead className="text-muted">
                <tr className="border-line border-b text-right">
                  <th className="py-2 pr-3 text-left font-medium">Trait</th>
                  <th className="px-3 font-medium">Plants</th>
                  <th className="px-3 font-medium">Seen</th>
                  <th className="px-3 font-medium">Taken as</th>
                  <th className="px-3 font-medium">Counts</th>
                  <th className="pl-3 font-medium">Points</th>
                </tr>
              </thead>
              <tbody>
                {standing.contributions.map((part) => (
                  <tr key={part.traitId} className="border-line border-b text-right last:border-0">
                    <th scope="row" className="py-2 pr-3 text-left font-medium wrap-anywhere">
                      {traitOf.get(part.traitId)?.name}
                    </th>
                    <td className="px-3">{part.plants}</td>
                    <td className="px-3">{part.ownMean === null ? 'not scored' : worth(part.ownMean)}</td>
                    <td className="px-3">{worth(part.predicted)}</td>
                    <td className="px-3">{Math.round(100 * part.share)}%</td>
                    <td className="pl-3">{part.points.toFixed(1)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="text-muted text-sm">
            “Seen” is what its own plants are worth from 0 to 100; “taken as” is that, pulled towards the hunt’s mean as far as one plant
            may have been lucky. What is not scored is taken as the mean, and makes the interval wider.
          </p>
          {genotype && (
            <div className="flex flex-wrap gap-2">
              {hunt.abilities.write && (
                <Button onClick={() => setDeciding(true)}>
                  {genotype.standing ? `Decide anew (${standingWords[genotype.standing]})` : `Decide about ${genotype.name}`}
                </Button>
              )}
              <Button asChild variant="secondary">
                <Link to="/pheno-hunt/$id/plants/$number" params={{ id: hunt.id, number: String(genotype.number) }}>
                  Open {genotype.name}
                </Link>
              </Button>
            </div>
          )}
          {isDeciding && genotype && (
            <Suspense fallback={null}>
              <DecideDialog huntId={hunt.id} genotypes={[genotype]} onOpenChange={setDeciding} />
            </Suspense>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const worth = (desirability: number): string => (100 * desirability).toFixed(0)
