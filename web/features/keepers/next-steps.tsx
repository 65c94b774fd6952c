import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { explainMeasurement, type NextMeasurements } from '../../../agronomy/next-measurement.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'

type NextStepsProps = {
  hunt: Hunt
  next: NextMeasurements
  genotypes: ReadonlyMap<string, Genotype>
  traitName: (id: string) => string
}

/** A clone takes months: below this chance of another winner it is not worth saying. */
const worthwhile = 0.01

/** What would help the decision most. */
export function NextSteps({ hunt, next: { measurements, clones }, genotypes, traitName }: NextStepsProps) {
  const [clone] = clones.filter(({ changesLeader }) => changesLeader >= worthwhile)
  const id = useId()
  if (measurements.length === 0 && !clone) return null
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-3">
          <h3 id={`${id}-title`} className="text-lg">
            Measure next
          </h3>
          {measurements.length > 0 && (
            <ol className="grid gap-3">
              {measurements.map((each) => {
                const genotype = genotypes.get(each.genotypeId)
                const plant = genotype?.plants.find(({ id: plantId }) => plantId === each.plantId)
                return (
                  <li key={`${each.plantId} ${each.traitId}`} className="grid gap-0.5">
                    <Link
                      to="/pheno-hunt"
                      search={{ tab: 'tracker', hunt: hunt.id }}
                      className={`${textLink} inline-flex min-h-6 items-center font-medium`}
                    >
                      {traitName(each.traitId)} of {plant?.name ?? genotype?.name}
                    </Link>
                    <span className="text-muted text-sm">
                      {explainMeasurement(each, { genotype: genotype?.name ?? '', trait: traitName(each.traitId) })}
                    </span>
                  </li>
                )
              })}
            </ol>
          )}
          {clone && (
            <p className="text-sm">
              <span className="font-medium">With another run: </span>
              one more clone of {genotypes.get(clone.genotypeId)?.name} tells the most.{' '}
              <span className="text-muted">{explainMeasurement(clone, { genotype: genotypes.get(clone.genotypeId)?.name ?? '' })}</span>
            </p>
          )}
        </CardBody>
      </section>
    </Card>
  )
}
