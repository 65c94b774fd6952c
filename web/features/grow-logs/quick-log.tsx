import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { shown } from '../../lib/units.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { showErrors } from '../../ui/focus-first-error.ts'
import { Input } from '../../ui/input.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'
import { ExpertFields } from './expert-fields.tsx'
import { entryOf, hasContent } from './form-entry.ts'
import { fieldOf, labelOf } from './log-fields.ts'
import { writeLog } from './log-writes.ts'
import { PhotoPicker } from './photo-picker.tsx'
import { type LogPlant, nextPlant, today, weekOn } from './plant-names.ts'
import { PlantPicker } from './plant-picker.tsx'
import { forNextPlant, useQuickDraft, useQuickPhotos } from './quick-draft.ts'
import { RatingButtons } from './rating-buttons.tsx'
import { StepInput } from './step-input.tsx'

type QuickLogProps = {
  hunt: Pick<Hunt, 'id' | 'germinationDate'>
  plants: readonly LogPlant[]
  /** The height of a plant at the last time, in cm. */
  lastHeightOf: (plantId: string) => number | null
  /** The plant whose label was scanned. */
  firstPlantId?: string | null
  level?: 2 | 3
}

/** One plant after the other, with one thumb: plant, week, height, rating, notes, photo, next. */
export function QuickLog({ hunt, plants, lastHeightOf, firstPlantId = null, level = 2 }: QuickLogProps) {
  const units = useUnits()
  const [draft, setDraft] = useQuickDraft(hunt.id, firstPlantId)
  const [photos, setPhotos] = useQuickPhotos(hunt.id)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isPicking, setPicking] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState('')
  // A plant that is gone, or none yet: the walk begins with the first that lives.
  const plant = plants.find(({ id }) => id === draft.plantId) ?? (draft.plantId === null ? nextPlant(plants, null) : null)
  const [isWhole, setWhole] = useState(false)
  const target = isWhole ? null : plant
  const Heading = `h${level}` as const

  const week = weekOn(target ? target.startedOn : hunt.germinationDate, draft.day)
  const lastHeight = target && lastHeightOf(target.id)
  const write = (key: string, text: string) => {
    setDraft({
      ...draft,
      plantId: plant?.id ?? null,
      touchedOn: today(),
      texts: { ...draft.texts, [key]: text },
      isRepeated: draft.isRepeated && fieldOf(key).group === 'plain',
    })
    if (errors[key]) setErrors(Object.fromEntries(Object.entries(errors).filter(([each]) => each !== key)))
  }
  const goTo = (next: LogPlant | null) => {
    setWhole(next === null)
    if (next) setDraft({ ...draft, plantId: next.id })
    setErrors({})
  }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    // On a phone the fields are far above the button: without the focus a press would seem to do nothing.
    const refuse = (wrong: Record<string, string>) =>
      showErrors(form, () => {
        setErrors(wrong)
        setSaved('')
      })
    const read = entryOf(draft.texts, units)
    if ('errors' in read) return refuse(read.errors)
    if (!hasContent(read.entry) && photos.length === 0) {
      return refuse({ heightCm: 'Enter a height, a rating, a note or a photo first' })
    }
    setSaving(true)
    const name = target ? target.name : 'whole hunt'
    try {
      await writeLog(hunt.id, name, { ...read.entry, plantId: target?.id ?? null, loggedOn: draft.day }, photos)
    } catch (error) {
      toast({
        title: 'The log could not be kept',
        description: error instanceof Error ? error.message : 'Please try again.',
        variant: 'destructive',
      })
      return
    } finally {
      setSaving(false)
    }
    const next = isWhole ? plant : nextPlant(plants, plant?.id ?? null)
    setDraft(forNextPlant(draft, next?.id ?? null))
    setWhole(false)
    setPhotos([])
    setErrors({})
    setSaved(next ? `Saved ${name}. Next: ${next.name}` : `Saved ${name}.`)
  }

  const height = fieldOf('heightCm')
  return (
    <Card asChild>
      <section aria-labelledby="quick-log">
        <CardBody>
          <form onSubmit={(event) => void save(event)} className="grid gap-5" noValidate>
            <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
              <Heading id="quick-log" className="text-xl">
                Quick Log
              </Heading>
              <div className="flex gap-3">
                <Field label="Day" className="w-42">
                  <Input
                    type="date"
                    value={draft.day}
                    max={today()}
                    onChange={(event) => setDraft({ ...draft, day: event.target.value || today() })}
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
                aria-label="Plant before"
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
                least={0}
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

            {/* Over the button: under it, a phone's bottom bar would cover what was saved. */}
            <p role="status" className="-mb-3 min-h-6 text-muted text-sm">
              {saved}
            </p>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <PhotoPicker photos={photos} onChange={setPhotos} />
              <Button type="submit" size="lg" pending={isSaving} pendingText="Saving..." className="min-h-14 flex-1 text-lg sm:max-w-72">
                {isWhole ? 'Save' : 'Save and next plant'}
              </Button>
            </div>
          </form>
          <PlantPicker isOpen={isPicking} onOpenChange={setPicking} plants={plants} chosenId={target?.id ?? null} onChoose={goTo} />
        </CardBody>
      </section>
    </Card>
  )
}
