import type { Insights } from '../../../contracts/insights.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { FigureChange } from './figure-change.tsx'
import { differenceOf, type Figure, figureText } from './figure-words.ts'

/** Who stays: as many as there are today, and how that changed in the period. */
export function AudienceCard({ audience: { followers, subscribers, saves } }: { audience: Insights['audience'] }) {
  return (
    <Card asChild>
      <section aria-label="Audience">
        <CardBody>
          <h2 className="text-lg">Audience</h2>
          <dl className="mt-3 grid gap-3">
            <Line name="Followers" {...followers} />
            <Line name="Subscribers" {...subscribers} />
            <Line name="Saves" {...saves} note="In steps of five: who saves what stays private." />
          </dl>
        </CardBody>
      </section>
    </Card>
  )
}

function Line({ name, now, before, note }: { name: string; now: Figure; before: Figure; note?: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 border-line border-t pt-3 first:border-t-0 first:pt-0">
      <dt className="font-normal">
        {name}
        {note && <span className="block font-normal text-muted text-xs">{note}</span>}
      </dt>
      <dd className="grid justify-items-end">
        <span className="font-semibold text-lg tabular-nums">{figureText(now)}</span>
        <FigureChange change={differenceOf(now, before)} />
      </dd>
    </div>
  )
}
