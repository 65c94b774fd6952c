import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { recordObservations } from '#contracts/calls/observations.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { ObservedValue } from '#contracts/observations.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { PhotoPicker } from '#web/entities/grow-logs/photo-picker.tsx'
import { type LogPlant, nextPlant } from '#web/entities/grow-logs/plant-names.ts'
import { dayText } from '#web/entities/growing-plots/plot-table.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { entryActions, useOutbox } from '#web/entities/offline/use-outbox.ts'
import { valueWords } from '#web/entities/traits/trait-values.ts'
import { ValueInput } from '#web/entities/traits/value-input.tsx'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { bySeason } from './entry-rows.ts'
import { type NewValue, type Written, writePhoto, writeValues } from './observation-writes.ts'

type WalkProps = {
  huntId: string
  traits: readonly Trait[]
  plants: readonly LogPlant[]
  records: readonly TraitRecord[]
  /** Current stages of the plants; traits observed in them come first. */
  stages: ReadonlySet<GrowthStage>
}

/** One-handed scoring of one trait, plant after plant. Pressing a button moves to the next plant. */
export function Walk({ huntId, traits, plants, records, stages }: WalkProps) {
  const { now, later } = bySeason(traits, stages)
  const [traitId, setTraitId] = useState(now[0]?.id ?? '')
  const [plantId, setPlantId] = useState<string | null>(null)
  const [day, setDay] = useState(localDay())
  const [isBlind, setBlind] = useState(false)
  const [round, setRound] = useState(0)
  const [draft, setDraft] = useState<ObservedValue | null>(null)
  const [photos, setPhotos] = useState<readonly File[]>([])
  const [problem, setProblem] = useState<string | undefined>()
  const [last, setLast] = useState<{ words: string; undo: (() => Promise<void>) | null; plantId: string } | null>(null)
  const waiting = useOutbox({ subject: huntId, path: recordObservations.path })
  const trait = traits.find(({ id }) => id === traitId) ?? traits[0]
  const plant = plants.find(({ id }) => id === plantId) ?? nextPlant(plants, null)
  if (!trait || !plant) return null
  const living = plants.filter(({ isAlive }) => isAlive)

  const before = records.filter((record) => record.traitId === trait.id && record.plantId === plant.id)
  const newest = before.reduce<TraitRecord | null>((found, record) => (found && found.on >= record.on ? found : record), null)
  const scored = scoredOn(day, trait.id, records, waiting)

  function goTo(id: string | null) {
    setPlantId(id)
    setDraft(null)
    setPhotos([])
    setProblem(undefined)
    setRound(round + 1)
  }

  async function save(value: ObservedValue | null) {
    if (!trait || !plant) return
    const title = `${trait.name} of ${plant.name}`
    const said = { traitId: trait.id, plantId: plant.id, observedOn: day, isBlind }
    const [photo] = photos
    if (trait.kind === 'photo' ? !photo : !value) return setProblem(trait.kind === 'photo' ? 'Take a photo first' : 'Enter a value first')
    try {
      const written =
        trait.kind === 'photo'
          ? await writePhoto(huntId, title, said, photo as File)
          : await writeValues(huntId, title, [{ ...said, value }])
      const words = trait.kind === 'photo' ? 'Photo' : valueWords(trait, value as { number?: number })
      const next = nextPlant(plants, plant.id)
      setLast({
        words: `Saved ${plant.name}: ${words}.${next ? ` Next: ${next.name}` : ''}`,
        undo: () => takeBack(huntId, title, said, written),
        plantId: plant.id,
      })
      goTo(next?.id ?? null)
    } catch (error) {
      toastUnsaved('The score couldn’t be saved', error)
    }
  }

  async function undo() {
    if (!last?.undo) return
    try {
      await last.undo()
      setLast({ ...last, words: 'Undone.', undo: null })
      goTo(last.plantId)
    } catch (error) {
      toastUnsaved('It couldn’t be undone', error)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(draft)
  }
  const isOneTap = trait.kind === 'ordinal' || trait.kind === 'category'
  return (
    <form onSubmit={submit} className="grid gap-5" noValidate>
      <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <Field label="Trait">
          <Select
            value={trait.id}
            onChange={(event) => {
              setTraitId(event.target.value)
              goTo(plant.id)
            }}
            className="[&_select]:min-h-12"
          >
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
          <Input
            type="date"
            value={day}
            max={localDay()}
            onChange={(event) => setDay(event.target.value || localDay())}
            className="min-h-12"
          />
        </Field>
      </div>

      <div className="flex items-stretch gap-2">
        <Button
          variant="secondary"
          aria-label="Previous plant"
          className="min-h-16 w-14 px-0"
          onClick={() => goTo(nextPlant(plants, plant.id, -1)?.id ?? null)}
        >
          <ChevronLeft aria-hidden="true" />
        </Button>
        <Select
          aria-label="Plant"
          value={plant.id}
          onChange={(event) => goTo(event.target.value)}
          className="flex-1 [&_select]:min-h-16 [&_select]:text-center [&_select]:font-display [&_select]:text-2xl"
        >
          {plants
            .filter(({ isAlive, id }) => isAlive || id === plant.id)
            .map(({ id, name, label }) => (
              <option key={id} value={id}>
                {label === '' ? name : `${name} ${label}`}
              </option>
            ))}
        </Select>
        <Button
          variant="secondary"
          aria-label="Next plant"
          className="min-h-16 w-14 px-0"
          onClick={() => goTo(nextPlant(plants, plant.id)?.id ?? null)}
        >
          <ChevronRight aria-hidden="true" />
        </Button>
      </div>
      <p className="text-muted text-sm">
        {newest ? `Last: ${valueWords(trait, newest)} on ${dayText(newest.on)}` : 'Not measured yet'}
        {` · ${living.filter(({ id }) => scored.has(id)).length} of ${living.length} plants on this day`}
      </p>

      {trait.kind === 'photo' ? (
        <div className="grid gap-1.5">
          <PhotoPicker photos={photos} onChange={(files) => setPhotos(files.slice(-1))} />
          {problem && <p className="font-medium text-clay text-sm">{problem}</p>}
        </div>
      ) : (
        <ValueInput
          key={`${trait.id} ${plant.id} ${round}`}
          trait={trait}
          error={problem}
          onChange={(value, isWhole) => {
            setProblem(undefined)
            setDraft(value)
            if (isWhole) void save(value)
          }}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Checkbox
          checked={isBlind}
          onChange={(event) => setBlind(event.target.checked)}
          className="[&_label]:min-h-12 [&_label]:items-center"
        >
          I didn’t know which plant this was
        </Checkbox>
        {!isOneTap && (
          <Button type="submit" size="lg" className="min-h-14 flex-1 text-lg sm:max-w-72">
            Save and next plant
          </Button>
        )}
      </div>
      <div className="flex min-h-12 flex-wrap items-center gap-3">
        <p role="status" className="text-muted text-sm">
          {last?.words ?? ''}
        </p>
        {last?.undo && (
          <Button variant="quiet" size="lg" onClick={() => void undo()}>
            Undo
          </Button>
        )}
      </div>
    </form>
  )
}

const TraitOptions = ({ traits }: { traits: readonly Trait[] }) =>
  traits.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))

/** Undo: discards pending entries, and corrects those already sent. */
async function takeBack(huntId: string, title: string, said: Omit<NewValue, 'value'>, { entries, observationIds }: Written): Promise<void> {
  const dropped = await Promise.all(entries.map((entry) => entryActions.discard(entry)))
  if (dropped.every(Boolean)) return
  await writeValues(
    huntId,
    `Undo: ${title}`,
    observationIds.map((correctsId) => ({ ...said, value: null, correctsId })),
  )
}

/** Plants that have a value for this day, saved or pending. */
function scoredOn(day: string, traitId: string, records: readonly TraitRecord[], waiting: ReturnType<typeof useOutbox>): Set<string> {
  const sent = records.filter((record) => record.traitId === traitId && record.on === day).map(({ plantId }) => plantId)
  const rows = waiting.flatMap(({ body }) => (Array.isArray(body.observations) ? (body.observations as Record<string, unknown>[]) : []))
  const onTheWay = rows.filter((row) => row.traitId === traitId && row.observedOn === day).map((row) => String(row.plantId))
  return new Set([...sent, ...onTheWay])
}
