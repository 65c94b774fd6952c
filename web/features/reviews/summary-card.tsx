import type { RatingSummary } from '../../../contracts/reviews.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { roundRating } from '../../ui/star-rating.ts'
import { Stars } from '../../ui/stars.tsx'
import { distribution } from './distribution.ts'

/** The average, and how many gave how many stars. */
export function SummaryCard({ summary: { average, total, counts } }: { summary: RatingSummary }) {
  return (
    <Card>
      <CardBody className="grid items-center gap-x-10 gap-y-5 sm:grid-cols-[auto_minmax(0,1fr)]">
        <div className="flex items-center gap-4 sm:flex-col sm:items-start sm:gap-1">
          <p aria-hidden="true" className="font-display text-4xl tabular-nums">
            {roundRating(average).toFixed(1)}
          </p>
          <div>
            <Stars rating={average} className="[&>span:last-child]:sr-only" />
            <p className="mt-0.5 text-muted text-sm tabular-nums">
              {formatNumber(total)} {total === 1 ? 'review' : 'reviews'}
            </p>
          </div>
        </div>
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">How many gave how many stars</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Stars</th>
              <th scope="col">Share</th>
              <th scope="col">Reviews</th>
            </tr>
          </thead>
          <tbody>
            {distribution(counts).map(({ stars, count, percent }) => (
              <tr key={stars}>
                <th scope="row" className="w-px py-0.75 pr-3 text-left font-normal! text-muted whitespace-nowrap tabular-nums">
                  {stars} {stars === 1 ? 'star' : 'stars'}
                </th>
                <td className="py-0.75">
                  <span className="block h-2 overflow-hidden rounded-full bg-sunk">
                    <span className="block h-full rounded-full bg-star transition-[width]" style={{ width: `${percent}%` }} />
                  </span>
                  <span className="sr-only">{percent}%</span>
                </td>
                <td className="w-px py-0.75 pl-3 text-right tabular-nums">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </CardBody>
    </Card>
  )
}
