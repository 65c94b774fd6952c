import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant, WalkOrder } from '#web/entities/grow-logs/plant-names.ts'
import { runsOptions } from '#web/entities/plants/plants.api.ts'
import { formatValue, openedTrait } from '#web/entities/traits/trait-words.ts'
import { localDay } from '#web/lib/time-words.ts'
import { useToday } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { DayInput } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { bySeason } from './entry-rows.ts'
import {
  blindScoreOf,
  drawLabels,
  labeledStops,
  newPlan,
  onToday,
  placesToWalk,
  plantsAt,
  type Stop,
  stopsOf,
  storedPlan,
  storePlan,
  type WalkPlan,
} from './walk-plan.ts'
import { WalkScreen } from './walk-screen.tsx'

type WalkProps = {
  huntId: string
  /** Includes archived traits. */
  traits: readonly Trait[]
  plants: readonly LogPlant[]
  records: readonly TraitRecord[]
  /** Traits observed in these stages come first. */
  stages: ReadonlySet<GrowthStage>
  /** Shown if there are no traits to score. */
  empty: ReactNode
}

export function Walk({ huntId, traits: all, plants, records, stages, empty }: WalkProps) {
  const traits = all.filter(({ isArchived }) => !isArchived)
  const { now, later } = bySeason(traits, stages)
  const { data: runs = [] } = useQuery(runsOptions(huntId))
  const [stored, setPlan] = useState<WalkPlan>(() => storedPlan(huntId) ?? newPlan(now[0]?.id ?? ''))
  const [shown, setShown] = useState<'labels' | 'reveal' | null>(null)
  // A walk keeps its trait and plants to the end, no matter what others archive, harvest or move in the meantime.
  const [walking, setWalking] = useState<{ trait: Trait; stops: readonly Stop[] } | null>(null)
  const today = useToday()
  // A walk past midnight keeps its day. Otherwise, its scored plants would count as unscored.
  const plan = walking ? stored : onToday(stored, today)
  const trait = traits.find(({ id }) => id === plan.traitId) ?? now[0] ?? traits[0]
  const places = placesToWalk(plants, runs)
  const stops = stopsOf(plan, plants, runs)
  const isBlind = plan.labels !== null
  const labeled = isBlind ? labeledStops(plan, plants) : []
  const change = (changes: Partial<WalkPlan>) => {
    const next = { ...plan, ...changes }
    setPlan(next)
    storePlan(huntId, next)
  }
  const walk = (next: Trait, through: readonly Stop[]) => {
    change({ traitId: next.id })
    setWalking({ trait: next, stops: through })
  }
  const ordered = [...now, ...later]

  // Blind labels can still be revealed when no living plant or no trait is left.
  const canScore = trait !== undefined && plants.some(({ isAlive }) => isAlive)
  return (
    <div className="grid gap-5">
      {canScore ? (
        <>
          {/* Two columns even on phones, so the button below is in view. */}
          <div className="grid grid-cols-2 gap-3 sm:gap-4">
            <Field label="Trait">
              <Select value={trait.id} onChange={(event) => change({ traitId: event.target.value })} className="[&_select]:min-h-12">
                {later.length === 0 ? (
                  <TraitOptions traits={now} />
                ) : (
                  <>
                    <optgroup label="Scored in this stage">
                      <TraitOptions traits={now} />
                    </optgroup>
                    <optgroup label="In other stages">
                      <TraitOptions traits={later} />
                    </optgroup>
                  </>
                )}
              </Select>
            </Field>
            <Field label="Day">
              <DayInput value={plan.day} max={today} onDayChange={(day) => change({ day })} className="min-h-12" />
            </Field>
            {!isBlind && places.length > 0 && (
              <Field label="Where">
                <Select value={plan.where} onChange={(event) => change({ where: event.target.value })} className="[&_select]:min-h-12">
                  <option value="all">All living plants</option>
                  {places.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              </Field>
            )}
            {(isBlind || places.length > 0) && (
              <Field label="Order">
                <Select
                  value={plan.order}
                  onChange={(event) => change({ order: event.target.value as WalkOrder })}
                  className="[&_select]:min-h-12"
                >
                  <option value="rows">Bench, row by row</option>
                  <option value="snake">Bench, back and forth</option>
                  <option value="number">{isBlind ? 'By label' : 'By number'}</option>
                </Select>
              </Field>
            )}
          </div>
          <div className="grid gap-3">
            {!isBlind && (
              <Switch
                checked={plan.showsLast}
                hint="When off, it appears once you’ve scored the plant, so it doesn’t sway you."
                onChange={(event) => change({ showsLast: event.target.checked })}
              >
                Show the last score
              </Switch>
            )}
            <Switch
              checked={isBlind}
              hint="Someone else puts random labels on the plants. You’ll see the numbers at the end."
              onChange={(event) => {
                if (!event.target.checked) return setShown('reveal')
                const ids = plantsAt(plan.where, plants, runs).map(({ id }) => id)
                change({ labels: drawLabels(ids), labeledOn: localDay(), order: 'number' })
                setShown('labels')
              }}
            >
              Blind labels
            </Switch>
          </div>
        </>
      ) : trait ? (
        <p className="text-muted">No plants are alive. Add late scores in the trait matrix below, or use Import CSV.</p>
      ) : (
        empty
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {canScore && (
          <Button size="lg" className="min-h-14 flex-1" disabled={stops.length === 0} onClick={() => walk(trait, stops)}>
            {stops.length === 1 ? 'Score 1 plant' : `Score ${stops.length} plants`}
          </Button>
        )}
        {isBlind && (
          <>
            <Button size="lg" variant="secondary" className="min-h-14" onClick={() => setShown('labels')}>
              Label list
            </Button>
            <Button size="lg" variant="secondary" className="min-h-14" onClick={() => setShown('reveal')}>
              End and reveal
            </Button>
          </>
        )}
      </div>
      {walking && (
        <WalkScreen
          key={walking.trait.id}
          huntId={huntId}
          opened={openedTrait(walking.trait, all)}
          nextTrait={nextOf(ordered, walking.trait)}
          plan={plan}
          stops={walking.stops}
          records={records}
          onTrait={(next) => walk(next, walking.stops)}
          onClose={() => setWalking(null)}
        />
      )}
      {shown === 'labels' && <LabelList plan={plan} labeled={labeled} plants={plants} onClose={() => setShown(null)} />}
      {shown === 'reveal' && (
        <Reveal
          plan={plan}
          labeled={labeled}
          plants={plants}
          traits={ordered}
          records={records}
          onEnd={() => {
            change({ labels: null, order: 'rows' })
            setShown(null)
          }}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  )
}

const nextOf = (traits: readonly Trait[], { id }: Trait): Trait | null => {
  const at = traits.findIndex((trait) => trait.id === id)
  return at === -1 ? null : (traits[at + 1] ?? null)
}

const TraitOptions = ({ traits }: { traits: readonly Trait[] }) =>
  traits.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))

type LabelsProps = { plan: WalkPlan; labeled: readonly Stop[]; plants: readonly LogPlant[]; onClose: () => void }

/** For the person who labels the plants. Asks first, because the person who scores must not see the labels. */
function LabelList({ plan, labeled, plants, onClose }: LabelsProps) {
  const [isHelper, setHelper] = useState(false)
  const byNumber = plants.filter(({ id }) => plan.labels?.[id] !== undefined)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Blind labels"
        description={
          isHelper
            ? 'Put each label on its plant and cover the plant’s number. Then give the phone back.'
            : 'Hand the phone to someone who won’t score. If you see the list, the walk won’t be blind anymore.'
        }
        size="md"
        actions={
          <Button size="lg" onClick={isHelper ? onClose : () => setHelper(true)}>
            {isHelper ? 'Done' : labeled.length === 1 ? 'Show 1 label' : `Show ${labeled.length} labels`}
          </Button>
        }
      >
        {isHelper && (
          <ListOfLabels>
            {byNumber.map(({ id, name, label }) => (
              <LabelRow key={id} name={label === '' ? name : `${name} ${label}`} blind={plan.labels?.[id] ?? ''} />
            ))}
          </ListOfLabels>
        )}
      </DialogContent>
    </Dialog>
  )
}

const ListOfLabels = ({ children }: { children: ReactNode }) => (
  <ul className="grid divide-y divide-line rounded-card border border-line">{children}</ul>
)

const LabelRow = ({ name, blind, children }: { name: string; blind: string; children?: ReactNode }) => (
  <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-0.5 px-4 py-2">
    <span className="w-14 font-mono font-semibold text-lg">{blind}</span>
    <span className="font-medium tabular-nums">{name}</span>
    {children && <span className="basis-full text-muted text-sm">{children}</span>}
  </li>
)

type RevealProps = LabelsProps & { traits: readonly Trait[]; records: readonly TraitRecord[]; onEnd: () => void }

/** Showing which plant had which label ends a blind walk. */
function Reveal({ plan, labeled, plants, traits, records, onEnd, onClose }: RevealProps) {
  const [isRevealed, setRevealed] = useState(false)
  const scoresOfPlant = (plantId: string) =>
    traits.flatMap((trait) => {
      const score = blindScoreOf(records, trait.id, plantId, plan)
      return score ? `${trait.name}: ${formatValue(trait, score)}` : []
    })
  const scored = labeled.filter(({ plantId }) => scoresOfPlant(plantId).length > 0).length
  return (
    <Dialog open onOpenChange={(open) => !open && (isRevealed ? onEnd() : onClose())}>
      <DialogContent
        title={isRevealed ? 'Which plant was which' : 'End the blind walk?'}
        description={
          isRevealed
            ? 'The scores are saved with the plants and marked as blind.'
            : `You scored ${scored} of ${labeled.length} plants. Once you see the numbers, you won’t be able to score these labels blind anymore.`
        }
        size="md"
        actions={
          isRevealed ? (
            <Button size="lg" onClick={onEnd}>
              Done
            </Button>
          ) : (
            <>
              <Button size="lg" variant="secondary" onClick={onClose}>
                Keep scoring
              </Button>
              <Button size="lg" onClick={() => setRevealed(true)}>
                End and reveal
              </Button>
            </>
          )
        }
      >
        {isRevealed && (
          <ListOfLabels>
            {labeled
              .toSorted((a, b) => (a.name < b.name ? -1 : 1))
              .map(({ plantId, name }) => (
                <LabelRow key={plantId} name={plants.find(({ id }) => id === plantId)?.name ?? ''} blind={name}>
                  {scoresOfPlant(plantId).join(' · ')}
                </LabelRow>
              ))}
          </ListOfLabels>
        )}
      </DialogContent>
    </Dialog>
  )
}
