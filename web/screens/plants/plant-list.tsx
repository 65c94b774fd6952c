import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Genotype } from '#contracts/plants.ts'
import { shortDay } from '#web/entities/hunts/hunt-words.ts'
import { copiesWords, lastLogOf, sexWords, stageOf, stageWords } from '#web/entities/plants/plant-words.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CheckboxBox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'

type PlantListProps = {
  huntId: string
  genotypes: readonly Genotype[]
  chosen: ReadonlySet<string>
  /** Null disables selection. */
  onChoose: ((ids: ReadonlySet<string>) => void) | null
  summary: string
}

const aStep = 150
const columns = 'md:grid-cols-[minmax(9rem,1.6fr)_6rem_7rem_8rem_7rem_6rem]'

/** One row per genotype. Long lists are rendered in steps. */
export function PlantList({ huntId, genotypes, chosen, onChoose, summary }: PlantListProps) {
  const [count, setCount] = useState(aStep)
  const shown = genotypes.slice(0, count)
  const isAll = genotypes.every(({ id }) => chosen.has(id))
  const isSome = genotypes.some(({ id }) => chosen.has(id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose?.(next)
  }
  const toggleAll = () => {
    const ids = genotypes.map(({ id }) => id)
    onChoose?.(isAll ? new Set([...chosen].filter((id) => !ids.includes(id))) : new Set([...chosen, ...ids]))
  }
  return (
    <Card className="overflow-visible!">
      <div className="flex items-center border-line border-b">
        {onChoose && (
          <RowCheckbox
            label={isAll ? 'Clear selection' : 'Select all'}
            checked={isAll}
            indeterminate={isSome && !isAll}
            onChange={toggleAll}
          />
        )}
        <p className={cx('grid min-h-12 flex-1 items-center text-muted text-xs', onChoose ? 'pr-4' : 'px-4', columns)}>
          <span role="status">{chosen.size > 0 ? `${chosen.size} selected` : summary}</span>
          {['Sex', 'Stage', 'Copies', 'Decision', 'Last log'].map((name) => (
            <span key={name} aria-hidden="true" className="max-md:hidden">
              {name}
            </span>
          ))}
        </p>
      </div>
      <ul className="divide-y divide-line">
        {shown.map((genotype) => (
          <li
            key={genotype.id}
            className={cx('relative flex transition-colors has-[a:hover]:bg-sunk/60', chosen.has(genotype.id) && 'bg-leaf-soft/60')}
          >
            {onChoose && (
              <RowCheckbox label={`Select ${genotype.name}`} checked={chosen.has(genotype.id)} onChange={() => toggle(genotype.id)} />
            )}
            <Row huntId={huntId} genotype={genotype} className={onChoose ? 'pr-4' : 'px-4'} />
          </li>
        ))}
      </ul>
      {genotypes.length > count && (
        <div className="border-line border-t p-3 text-center">
          <Button variant="quiet" size="lg" onClick={() => setCount(count + aStep)}>
            Show {Math.min(aStep, genotypes.length - count)} more of {formatNumber(genotypes.length - count)}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Row({ huntId, genotype, className }: { huntId: string; genotype: Genotype; className: string }) {
  const stage = stageOf(genotype)
  const logged = lastLogOf(genotype)
  const isGone = genotype.livingCopies === 0
  return (
    <Link
      to="/pheno-hunt/$id/plants/$number"
      params={{ id: huntId, number: String(genotype.number) }}
      className={cx(
        'grid min-h-16 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 py-2 md:gap-x-0',
        columns,
        className,
      )}
    >
      <span className="flex min-w-0 items-baseline gap-2">
        <span className={cx('font-semibold text-lg tabular-nums', isGone && 'text-muted line-through decoration-1')}>{genotype.name}</span>
        <span className="min-w-0 truncate">{genotype.label}</span>
      </span>
      <span className="max-md:hidden text-sm">{genotype.sex === 'unknown' ? <Nothing /> : sexWords[genotype.sex]}</span>
      <span className="max-md:hidden text-sm">{stage ? stageWords[stage] : <Nothing />}</span>
      <span className="max-md:hidden text-sm tabular-nums">{isGone ? <Badge>Gone</Badge> : copiesWords(genotype)}</span>
      <span className="max-md:row-span-2 max-md:self-center">
        {genotype.standing ? (
          <StandingBadge standing={genotype.standing} />
        ) : genotype.kind === 'check' ? (
          <Badge>Check clone</Badge>
        ) : (
          <span className="max-md:hidden">
            <Nothing />
          </span>
        )}
      </span>
      <span className="max-md:hidden text-muted text-sm tabular-nums">{logged ? shortDay(logged) : <Nothing />}</span>
      <span className="min-w-0 text-muted text-sm md:hidden">
        {[
          copiesWords(genotype),
          ...(genotype.sex === 'unknown' ? [] : [sexWords[genotype.sex]]),
          ...(stage ? [stageWords[stage]] : []),
          ...(logged ? [`log ${shortDay(logged)}`] : []),
        ].join(' · ')}
      </span>
    </Link>
  )
}

const Nothing = () => (
  <span className="text-muted">
    <span aria-hidden="true">–</span>
    <span className="sr-only">Unknown</span>
  </span>
)

type RowCheckboxProps = { label: string; checked: boolean; indeterminate?: boolean; onChange: () => void }

function RowCheckbox({ label, ...props }: RowCheckboxProps) {
  return (
    <label className="grid min-h-12 w-13 shrink-0 cursor-pointer place-items-center self-stretch">
      <CheckboxBox aria-label={label} {...props} />
    </label>
  )
}
