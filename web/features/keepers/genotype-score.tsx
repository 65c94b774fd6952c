import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Standing } from '../../../agronomy/rank.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import type { Trait } from '../../../contracts/traits.ts'
import { counted } from '../../lib/counted.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { DecideButton } from './decide-button.tsx'
import { chanceText } from './ranking-words.ts'

type GenotypeScoreProps = {
  hunt: Hunt
  standing: Standing
  standings: readonly Standing[]
  genotype: Genotype | undefined
  /** The verdict above has its buttons already. */
  isLeader: boolean
  nameOf: (id: string) => string
  traits: readonly Trait[]
  onChoose: (genotypeId: string) => void
}

/** How one phenotype comes to its score, trait by trait, and the decision about it. */
export function GenotypeScore({ hunt, standing, standings, genotype, isLeader, nameOf, traits, onChoose }: GenotypeScoreProps) {
  const id = useId()
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
            The true score is between {low.toFixed(1)} and {high.toFixed(1)}, four times in five. Chance to be the best:{' '}
            {chanceText(standing.pBest)}; one of the best three: {chanceText(standing.pTop3)}.
          </p>
          <div className="overflow-x-auto">
            <table className="w-full text-sm tabular-nums">
              <thead className="text-muted">
                <tr className="border-line border-b text-right">
                  <th className="py-2 pr-3 text-left font-medium">Trait</th>
                  <th className="px-3 font-medium max-sm:hidden">Plants</th>
                  <th className="px-3 font-medium">Seen</th>
                  <th className="px-3 font-medium">Taken as</th>
                  <th className="px-3 font-medium max-sm:hidden">Counts</th>
                  <th className="pl-3 font-medium">Points</th>
                </tr>
              </thead>
              <tbody>
                {standing.contributions.map((part) => (
                  <tr key={part.traitId} className="border-line border-b text-right last:border-0">
                    <th scope="row" className="py-2 pr-3 text-left font-medium wrap-anywhere">
                      {traitOf.get(part.traitId)?.name}
                      <span className="block font-normal text-muted sm:hidden">
                        {counted(part.plants, 'plant')} · {Math.round(100 * part.share)}%
                      </span>
                    </th>
                    <td className="px-3 max-sm:hidden">{part.plants}</td>
                    <td className="px-3">{part.ownMean === null ? 'not scored' : worth(part.ownMean)}</td>
                    <td className="px-3">{worth(part.predicted)}</td>
                    <td className="px-3 max-sm:hidden">{Math.round(100 * part.share)}%</td>
                    <td className="pl-3">{part.points.toFixed(1)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="text-muted text-sm">
            “Seen” is what its own plants are worth, from 0 to 100; “taken as” is that, pulled towards the hunt’s mean because a plant may
            have been lucky. What is not scored is taken as the mean.
          </p>
          {genotype && !isLeader && (
            <div className="flex flex-wrap gap-2">
              <DecideButton hunt={hunt} genotype={genotype} variant="secondary" />
              <Link
                to="/pheno-hunt/$id/plants/$number"
                params={{ id: hunt.id, number: String(genotype.number) }}
                className={buttonClass('quiet', 'lg')}
              >
                Open {genotype.name}
              </Link>
            </div>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const worth = (desirability: number): string => (100 * desirability).toFixed(0)
