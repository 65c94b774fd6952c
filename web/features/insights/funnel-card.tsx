import type { Insights } from '../../../contracts/insights.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { figureText } from './figure-words.ts'

type Step = Insights['funnel'][number]['step']

const stepNames: Record<Step, { name: string; what: string }> = {
  views: { name: 'Opened your page', what: 'Page views' },
  actions: { name: 'Got in touch', what: 'Calls, directions, website clicks' },
  follows: { name: 'Follow or save you', what: 'New followers and saves that stayed' },
  subscribers: { name: 'Subscribe', what: 'New subscribers who stayed' },
}

/** From looking to staying. Each bar is as long as its share of the first. */
export function FunnelCard({ funnel }: { funnel: Insights['funnel'] }) {
  const whole = funnel[0]?.value ?? 0
  return (
    <Card asChild>
      <section aria-label="From looking to staying">
        <CardBody>
          <h2 className="text-lg">From looking to staying</h2>
          <ol className="mt-4 grid gap-4">
            {funnel.map(({ step, value }, i) => {
              const share = whole > 0 && value !== null ? value / whole : 0
              return (
                <li key={step}>
                  <div className="flex items-baseline justify-between gap-3">
                    <p className="font-medium">{stepNames[step].name}</p>
                    <p className="tabular-nums">
                      <span className="font-semibold">{figureText(value)}</span>
                      {i > 0 && value !== null && whole > 0 && (
                        <span className="ml-2 text-muted text-sm">
                          {shareText(share)}
                          <span className="sr-only"> of page views</span>
                        </span>
                      )}
                    </p>
                  </div>
                  <p className="text-muted text-sm">{stepNames[step].what}</p>
                  <div aria-hidden="true" className="mt-1.5 h-2 rounded-full bg-sunk">
                    <div className="h-full rounded-full bg-leaf" style={{ width: `${Math.min(100, share * 100)}%` }} />
                  </div>
                </li>
              )
            })}
          </ol>
        </CardBody>
      </section>
    </Card>
  )
}

const shareText = (share: number) => (share > 0 && share < 0.01 ? 'under 1%' : `${Math.round(share * 100)}%`)
