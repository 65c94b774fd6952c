import { Link } from '@tanstack/react-router'
import { ArrowRight, Globe, Lock, NotebookPen, Users } from 'lucide-react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { cardLink } from '../../ui/link-styles.ts'
import { HuntMenu } from './hunt-menu.tsx'
import { dayWords, visibilityWords } from './hunt-words.ts'
import { StageTimeline } from './stage-timeline.tsx'

/** One hunt. Pressing it selects it; the one that is selected offers what to do with it. */
export function HuntCard({ hunt, isSelected }: { hunt: Hunt; isSelected: boolean }) {
  const { id, huntName, breeders, seedCount, isActive, growEnvironment, germinationDate, goals, completedOn, counts } = hunt
  const from = [breeders.join(', '), counted(seedCount, 'seed')].filter(Boolean).join(' · ')
  return (
    <Card interactive asChild className={cx(isSelected && 'border-leaf! ring-1 ring-leaf')}>
      <article aria-label={huntName}>
        <CardBody className="grid gap-4">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <h3 className="text-lg wrap-anywhere">
                  <Link
                    to="/pheno-hunt"
                    search={{ hunt: id }}
                    replace
                    resetScroll={false}
                    aria-current={isSelected ? 'true' : undefined}
                    className={cardLink}
                  >
                    {huntName}
                  </Link>
                </h3>
                <Badge variant={isActive ? 'leaf' : 'neutral'}>{isActive ? 'Active' : 'Completed'}</Badge>
                {hunt.isDemo && <Badge variant="outline">Demo</Badge>}
              </div>
              <p className="mt-0.5 text-muted text-sm wrap-anywhere">{from}</p>
            </div>
            <HuntMenu hunt={hunt} />
          </div>
          <StageTimeline hunt={hunt} />
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-4">
            <Figure name="Environment">{growEnvironment || '–'}</Figure>
            <Figure name={completedOn ? 'Completed' : 'Started'}>{dayOr(completedOn ?? germinationDate)}</Figure>
            <Figure name="Living plants">
              {formatNumber(counts.livingPlants)}
              {hunt.plantLimit !== null && (
                <span className={cx(counts.livingPlants > hunt.plantLimit ? 'font-medium text-clay' : 'text-muted')}>
                  {' '}
                  of {hunt.plantLimit}
                </span>
              )}
            </Figure>
            <Figure name="Keepers">{`${counts.keepers} of ${counts.genotypes}`}</Figure>
          </dl>
          {goals && <p className="line-clamp-2 text-muted text-sm wrap-anywhere">{goals}</p>}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="flex items-center gap-1.5 text-muted text-xs [&_svg]:size-3.5">
              <VisibilityIcon hunt={hunt} />
              {visibilityWords(hunt)}
              {hunt.access !== 'own' && ` · ${hunt.owner.name}`}
            </p>
            <div className="relative z-1 flex flex-wrap gap-2">
              {isSelected && hunt.abilities.write && (
                <Button asChild variant="secondary" className="min-h-12">
                  <Link to="/pheno-hunt" search={{ tab: 'logs', hunt: id }}>
                    <NotebookPen aria-hidden="true" />
                    Quick Log
                  </Link>
                </Button>
              )}
              <Button asChild variant={isSelected ? 'primary' : 'secondary'} className="min-h-12">
                <Link to="/pheno-hunt/$id" params={{ id }}>
                  Open<span className="sr-only"> {huntName}</span>
                  <ArrowRight aria-hidden="true" />
                </Link>
              </Button>
            </div>
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

const dayOr = (day: string | null) => (day ? <time dateTime={day}>{dayWords(day)}</time> : '–')

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt className="font-normal! text-muted text-xs">{name}</dt>
    <dd className="truncate tabular-nums">{children}</dd>
  </div>
)

function VisibilityIcon({ hunt }: { hunt: Hunt }) {
  if (hunt.visibility === 'public') return <Globe aria-hidden="true" />
  return hunt.access !== 'own' || hunt.sharesCount ? <Users aria-hidden="true" /> : <Lock aria-hidden="true" />
}
