import { ChevronLeft, ChevronRight, Delete } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { getTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { localDay } from '#web/lib/time-words.ts'
import { shown, type Units, useUnits } from '#web/lib/units.ts'
import { useToday } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { DayInput, Input, Textarea } from '#web/ui/input.tsx'
import { fieldOf, labelOf, logFields, readField, textOf } from './log-fields.ts'
import { ExpertFields, entryOf, hasContent, RatingButtons, StepInput, type Texts } from './log-inputs.tsx'
import { writeLog } from './log-writes.ts'
import { keepPhotos, keptPhotos, PhotoPicker } from './photo-picker.tsx'
import { inWalkOrder, type LogPlant, nextPlant, plantsFor, weekOn } from './plant-names.ts'

type QuickLogProps = {
  hunt: Pick<Hunt, 'id' | 'germinationDate'>
  plants: readonly LogPlant[]
  /** In cm. */
  lastHeightOf: (plantId: string) => number | null
  /** From a scanned label. */
  firstPlantId?: string | null
  level?: 2 | 3
}

export function QuickLog({ hunt, plants: byNumber, lastHeightOf, firstPlantId = null, level = 2 }: QuickLogProps) {
  const units = useUnits()
  const plants = inWalkOrder(byNumber, 'rows')
  const [draft, setDraft] = useQuickDraft(hunt.id, firstPlantId, units)
  const [photos, setPhotos] = useQuickPhotos(hunt.id, firstPlantId, units)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isPicking, setPicking] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState('')
  const plant = plants.find(({ id }) => id === draft.plantId) ?? (draft.plantId === null ? nextPlant(plants, null) : null)
  const { isWhole } = draft
  const target = isWhole ? null : plant
  const Heading = `h${level}` as const

  const week = weekOn(target ? target.startedOn : hunt.germinationDate, draft.day)
  const lastHeight = target && lastHeightOf(target.id)
  const write = (key: string, text: string) => {
    setDraft({
      ...draft,
      plantId: plant?.id ?? null,
      texts: { ...draft.texts, [key]: text },
      isRepeated: draft.isRepeated && fieldOf(key).group === 'plain',
    })
    if (errors[key]) setErrors(Object.fromEntries(Object.entries(errors).filter(([each]) => each !== key)))
  }
  const goTo = (next: LogPlant | null) => {
    setDraft({ ...draft, plantId: next?.id ?? draft.plantId, isWhole: next === null })
    setErrors({})
    setSaved('')
  }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    // On phones, the fields are far above the button, so pressing it would seem to do nothing if the focus didn't move to them.
    const refuse = (wrong: Record<string, string>) =>
      showErrors(form, () => {
        setErrors(wrong)
        setSaved('')
      })
    const read = entryOf(draft.texts, units)
    if ('errors' in read) return refuse(read.errors)
    if (!hasContent(read.entry) && photos.length === 0) {
      return refuse({ heightCm: 'Enter a height, rating, note or photo first' })
    }
    setSaving(true)
    const name = target ? target.name : 'the whole hunt'
    try {
      await writeLog(hunt.id, name, { ...read.entry, plantId: target?.id ?? null, loggedOn: draft.day }, photos)
    } catch (error) {
      toastUnsaved('The log couldn’t be saved', error)
      return
    } finally {
      setSaving(false)
    }
    const next = isWhole ? plant : nextPlant(plants, plant?.id ?? null)
    setDraft(forNextPlant(draft, next?.id ?? null))
    setPhotos([])
    setErrors({})
    setSaved(next ? `Saved ${name}. Next: ${next.name}` : `Saved ${name}.`)
  }

  const height = fieldOf('heightCm')
  return (
    <Card asChild>
      <section aria-labelledby="quick-log">
        <CardBody>
          <form onSubmit={(event) => void save(event)} className="grid grid-cols-[minmax(0,1fr)] gap-5" noValidate>
            <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
              <Heading id="quick-log" className="text-xl">
                Quick Log
              </Heading>
              <div className="flex max-w-full gap-3">
                <Field label="Day" className="w-42 min-w-0 shrink">
                  <DayInput
                    value={draft.day}
                    max={draft.touchedOn}
                    onDayChange={(day) => setDraft({ ...draft, day })}
                    className="min-h-12"
                  />
                </Field>
                <Field label="Week" error={errors.week} className="w-22">
                  <Input
                    inputMode="numeric"
                    autoComplete="off"
                    value={draft.texts.week ?? ''}
                    placeholder={week === null ? '' : String(week)}
                    onChange={(event) => write('week', event.target.value)}
                    className="min-h-12 tabular-nums"
                  />
                </Field>
              </div>
            </div>

            <div className="flex items-stretch gap-2">
              <Button
                variant="secondary"
                aria-label="Previous plant"
                className="min-h-16 w-14 px-0"
                onClick={() => goTo(nextPlant(plants, plant?.id ?? null, -1))}
              >
                <ChevronLeft aria-hidden="true" />
              </Button>
              <button
                type="button"
                aria-haspopup="dialog"
                onClick={() => setPicking(true)}
                className="grid min-h-16 min-w-0 flex-1 place-items-center content-center rounded-input border border-edge bg-surface px-3 hover:bg-sunk"
              >
                <span className="sr-only">Plant </span>
                <span className="font-display text-2xl tabular-nums">{target ? target.name : 'Whole hunt'}</span>
                {target && target.label !== '' && <span className="max-w-full truncate text-muted text-sm">{target.label}</span>}
                <span className="sr-only">. Choose another plant</span>
              </button>
              <Button
                variant="secondary"
                aria-label="Next plant"
                className="min-h-16 w-14 px-0"
                onClick={() => goTo(nextPlant(plants, plant?.id ?? null))}
              >
                <ChevronRight aria-hidden="true" />
              </Button>
            </div>

            <div className="grid gap-5 md:grid-cols-[2fr_3fr]">
              <StepInput
                label={labelOf(height, units)}
                name="height"
                text={draft.texts.heightCm ?? ''}
                onChange={(text) => write('heightCm', text)}
                step={units.length === 'in' ? 0.5 : 1}
                min={0}
                from={lastHeight === null ? null : shown(lastHeight, 'length', units)}
                hint={lastHeight === null ? undefined : `${shown(lastHeight, 'length', units)} last time`}
                error={errors.heightCm}
              />
              <RatingButtons
                value={draft.texts.rating ? Number(draft.texts.rating) : null}
                onChange={(rating) => write('rating', rating === null ? '' : String(rating))}
                error={errors.rating}
              />
            </div>

            <Field label="Notes" error={errors.notes}>
              <Textarea rows={2} value={draft.texts.notes ?? ''} onChange={(event) => write('notes', event.target.value)} />
            </Field>

            <ExpertFields texts={draft.texts} onChange={write} errors={errors} isRepeated={draft.isRepeated} />

            {/* Above the button, because a phone's bottom bar would cover it below. */}
            <p role="status" className="-mb-3 min-h-6 text-muted text-sm">
              {saved || <span className="sr-only">{target ? `Plant ${target.name}` : 'Whole hunt'}</span>}
            </p>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <PhotoPicker photos={photos} onChange={setPhotos} />
              <Button type="submit" size="lg" pending={isSaving} pendingText="Saving..." className="min-h-14 flex-1 text-lg sm:max-w-72">
                {isWhole ? 'Save' : 'Save and next plant'}
              </Button>
            </div>
          </form>
          <PlantPicker isOpen={isPicking} onOpenChange={setPicking} plants={byNumber} chosenId={target?.id ?? null} onChoose={goTo} />
        </CardBody>
      </section>
    </Card>
  )
}

type QuickDraft = {
  plantId: string | null
  /** Whether the log is for the whole hunt instead of the plant. */
  isWhole: boolean
  day: string
  /** The day of the last edit. A reload on another day drops the draft, so its date isn't used for that day's logs. */
  touchedOn: string
  texts: Texts
  /** The units of the numbers in `texts`. */
  units: Units
  isRepeated: boolean
}

const keyOf = (huntId: string) => `quick-log:${huntId}`

const emptyDraft = (units: Units): QuickDraft => ({
  plantId: null,
  isWhole: false,
  day: localDay(),
  touchedOn: localDay(),
  texts: {},
  units,
  isRepeated: false,
})

/** Fills in fields that drafts from an earlier version of the app lack. */
function read(huntId: string, units: Units): QuickDraft {
  const kept = getTabItem(keyOf(huntId)) as QuickDraft | null | undefined
  const isOfToday = kept && typeof kept.texts === 'object' && kept.touchedOn === localDay()
  return { ...emptyDraft(units), ...(isOfToday ? kept : {}) }
}

/** Converts numbers typed before the person chose other units, including those that are repeated in the closed section. */
export function inUnits<Draft extends Pick<QuickDraft, 'texts' | 'units'>>(draft: Draft, units: Units): Draft {
  if (draft.units.length === units.length && draft.units.temperature === units.temperature) return draft
  const converted = logFields.flatMap((field) => {
    const read = readField(field, draft.texts[field.key] ?? '', draft.units)
    return field.measure !== 'plain' && 'value' in read ? [[field.key, textOf(field, { [field.key]: read.value }, units)]] : []
  })
  return { ...draft, texts: { ...draft.texts, ...Object.fromEntries(converted) }, units }
}

/** For a page that is still open on another day: its entry belongs to today. */
export const onToday = <Draft extends Pick<QuickDraft, 'day' | 'touchedOn'>>(draft: Draft, today: string): Draft =>
  draft.touchedOn === today ? draft : { ...draft, day: today, touchedOn: today }

/** Survives reloading and signing in again. */
function useQuickDraft(huntId: string, firstPlantId: string | null, units: Units) {
  const [draft, setDraft] = useState<QuickDraft>(() => startingAt(read(huntId, units), firstPlantId))
  useEffect(() => setTabItem(keyOf(huntId), draft), [huntId, draft])
  return [inUnits(onToday(draft, useToday()), units), setDraft] as const
}

function useQuickPhotos(huntId: string, firstPlantId: string | null, units: Units) {
  const [photos, setPhotos] = useState<readonly File[]>(() => {
    const kept = read(huntId, units)
    if (startingAt(kept, firstPlantId) !== kept) keepPhotos(huntId, [])
    return keptPhotos(huntId)
  })
  const choose = (next: readonly File[]) => {
    setPhotos(next)
    keepPhotos(huntId, next)
  }
  return [photos, choose] as const
}

const ofOnePlant = ['heightCm', 'rating', 'notes', 'week', 'training']

/** Unsaved text about one plant must not carry over to another. */
export const startingAt = <Draft extends Pick<QuickDraft, 'plantId' | 'isWhole' | 'texts' | 'isRepeated'>>(
  kept: Draft,
  firstPlantId: string | null,
): Draft => (firstPlantId === null || (kept.plantId === firstPlantId && !kept.isWhole) ? kept : forNextPlant(kept, firstPlantId))

function forNextPlant<Draft extends Pick<QuickDraft, 'texts'>>(draft: Draft, plantId: string | null): Draft {
  const texts = Object.fromEntries(Object.entries(draft.texts).filter(([key, text]) => !ofOnePlant.includes(key) && text !== ''))
  return { ...draft, plantId, isWhole: false, texts, isRepeated: Object.keys(texts).length > 0 }
}

type PlantPickerProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  plants: readonly LogPlant[]
  chosenId: string | null
  onChoose: (plant: LogPlant | null) => void
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '0']
const maxShown = 60

function PlantPicker({ isOpen, onOpenChange, plants, chosenId, onChoose }: PlantPickerProps) {
  const [typed, setTyped] = useState('')
  const found = plantsFor(typed, plants)
  const living = found.filter(({ isAlive }) => isAlive)
  const shown = [...living, ...found.filter(({ isAlive }) => !isAlive)].slice(0, maxShown)

  function choose(plant: LogPlant | null) {
    setTyped('')
    onOpenChange(false)
    onChoose(plant)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const [first] = shown
    if (first && typed.trim() !== '') choose(first)
  }

  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent title="Which plant?" description="Enter its number or the code on its label." size="md">
        <div className="grid gap-4 sm:grid-cols-[15rem_1fr]">
          <form onSubmit={submit} className="grid content-start gap-2">
            <Field label="Number or code">
              <Input
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                className="min-h-12 text-center text-xl tabular-nums"
              />
            </Field>
            <div className="grid grid-cols-3 gap-2">
              {digits.map((digit) => (
                <Button
                  key={digit}
                  variant="secondary"
                  size="lg"
                  className="px-0 text-xl"
                  aria-label={digit === '-' ? 'Clone' : digit}
                  onClick={() => setTyped(typed + digit)}
                >
                  {digit}
                </Button>
              ))}
              <Button
                variant="secondary"
                size="lg"
                className="px-0"
                aria-label="Delete last character"
                onClick={() => setTyped(typed.slice(0, -1))}
              >
                <Delete aria-hidden="true" />
              </Button>
            </div>
            <Button type="submit" size="lg" disabled={typed.trim() === '' || shown.length === 0}>
              {typed.trim() !== '' && shown[0] ? `Log ${shown[0].name}` : 'Log plant'}
            </Button>
          </form>
          <div className="grid content-start gap-2">
            <div className="grid max-h-[46dvh] grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] content-start gap-2 overflow-y-auto p-0.5">
              {typed.trim() === '' && (
                <PlantButton isChosen={chosenId === null} onClick={() => choose(null)} className="col-span-2">
                  Whole hunt
                </PlantButton>
              )}
              {shown.map((plant) => (
                <PlantButton key={plant.id} isChosen={plant.id === chosenId} onClick={() => choose(plant)}>
                  <span className="font-semibold text-lg tabular-nums">{plant.name}</span>
                  {!plant.isAlive && <span className="text-xs">ended</span>}
                  {plant.isAlive && plant.label !== '' && <span className="max-w-full truncate text-xs">{plant.label}</span>}
                </PlantButton>
              ))}
            </div>
            {shown.length === 0 && (
              <p role="status" className="text-muted text-sm">
                No plant in this hunt has that number or code.
              </p>
            )}
            {found.length > shown.length && <p className="text-muted text-sm">Type a number to see {found.length - shown.length} more.</p>}
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}

type PlantButtonProps = { isChosen: boolean; onClick: () => void; className?: string; children: ReactNode }

const PlantButton = ({ isChosen, onClick, className, children }: PlantButtonProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onClick}
    className={cx(
      'grid min-h-14 place-items-center content-center rounded-input border px-1',
      isChosen ? 'border-leaf bg-leaf-soft text-leaf' : 'border-edge bg-surface hover:bg-sunk',
      className,
    )}
  >
    {children}
  </button>
)
