import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { type Figure, figureText } from './figure-words.ts'

const unlocked = [
  'Views, calls, directions and website clicks by day, week and month',
  'Each period against the one before',
  'Where visitors come from, and which products and posts they look at',
  'Followers, subscribers and saves over time, and a file of it all',
]

/** Without the plan: one real figure, and what the others would be. */
export function TasteCard({ business, pageViews }: { business: MyBusiness; pageViews: Figure }) {
  return (
    <Card asChild>
      <section aria-label="Visits">
        <CardBody className="grid gap-x-10 gap-y-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:p-7">
          <div className="sm:border-line sm:border-r sm:pr-10">
            <h2 className="text-base text-muted">Page views, last 7 days</h2>
            <p className="mt-1 font-display text-4xl tabular-nums">{figureText(pageViews)}</p>
          </div>
          <div>
            <p className="flex items-center gap-2 font-medium">
              <ChartColumn aria-hidden="true" className="size-4.5 text-leaf" />
              Business Tools show the rest
            </p>
            <ul className="mt-2 grid list-disc gap-1 pl-5 text-[0.9375rem] text-muted">
              {unlocked.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {business.role === 'owner' ? (
              <Button asChild className="mt-4">
                <Link to="/business/$id" params={{ id: business.slug }} search={{ tab: 'tools' }} hash="more">
                  See Business Tools
                </Link>
              </Button>
            ) : (
              <p className="mt-4 text-muted text-sm">The owner of {business.name} can get them.</p>
            )}
            <p className="mt-3 text-muted text-sm">No plan moves a business up a list.</p>
          </div>
        </CardBody>
      </section>
    </Card>
  )
}
