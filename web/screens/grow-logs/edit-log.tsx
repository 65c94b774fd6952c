import { type FormEvent, useId, useRef, useState } from 'react'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { changeOf, textsOf } from '#web/entities/grow-logs/form-entry.ts'
import { fieldOf, labelOf } from '#web/entities/grow-logs/log-fields.ts'
import { ExpertFields, RatingButtons, type Texts } from '#web/entities/grow-logs/log-inputs.tsx'
import { correctLog } from '#web/entities/grow-logs/log-writes.ts'
import { PhotoPicker } from '#web/entities/grow-logs/photo-picker.tsx'
import { type LogPlant, nameOfLog, today } from '#web/entities/grow-logs/plant-names.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { useUnits } from '#web/lib/use-units.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Input, Textarea } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'

type EditLogProps = { log: GrowLog; plants: readonly LogPlant[]; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** Edits a log. Earlier versions stay in its history. */
export function EditLog({ log, plants, isOpen, onOpenChange }: EditLogProps) {
  const formId = useId()
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Edit log for ${nameOfLog(log)}`}
        description="The previous version is kept in the history."
        size="lg"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} size="lg">
              Save
            </Button>
          </>
        }
      >
        <EditForm formId={formId} log={log} plants={plants} onSaved={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function EditForm({ formId, log, plants, onSaved }: { formId: string; log: GrowLog; plants: readonly LogPlant[]; onSaved: () => void }) {
  const units = useUnits()
  const [first] = useState(() => textsOf(log, units))
  const [texts, setTexts] = useState<Texts>(first)
  const [day, setDay] = useState(log.loggedOn)
  const [plantId, setPlantId] = useState(log.plant?.id ?? '')
  const [remaining, setRemaining] = useState(log.photos)
  const [photos, setPhotos] = useState<readonly File[]>([])
  const [errors, setErrors] = useState<Texts>({})
  const photosPart = useRef<HTMLDivElement>(null)
  const write = (key: string, text: string) => setTexts({ ...texts, [key]: text })
  const takeOut = (nth: number) => {
    setRemaining(remaining.filter((_photo, each) => each !== nth))
    // The removed photo's button had the focus; move it to the next one or to the add button.
    requestAnimationFrame(() => photosPart.current?.querySelectorAll('button')[nth]?.focus())
  }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const read = changeOf(first, texts, units)
    if ('errors' in read) return showErrors(form, () => setErrors(read.errors))
    const change = {
      ...read.change,
      ...(day === log.loggedOn ? {} : { loggedOn: day }),
      ...(plantId === (log.plant?.id ?? '') ? {} : { plantId: plantId === '' ? null : plantId }),
      ...(photos.length === 0 && remaining.length === log.photos.length ? {} : { mediaIds: remaining.map(({ id }) => id) }),
    }
    try {
      if (Object.keys(change).length > 0) await correctLog(log, change, photos)
      onSaved()
    } catch (error) {
      toast({
        title: 'The change couldn’t be saved',
        description: error instanceof Error ? error.message : 'Please try again.',
        variant: 'destructive',
      })
    }
  }

  const height = fieldOf('heightCm')
  return (
    <form id={formId} onSubmit={(event) => void save(event)} className="grid gap-5" noValidate>
      <div className="grid items-start gap-4 sm:grid-cols-2 md:grid-cols-4">
        <Field label="Plant">
          <Select value={plantId} onChange={(event) => setPlantId(event.target.value)}>
            <option value="">Whole hunt</option>
            {plants.map(({ id, name, label }) => (
              <option key={id} value={id}>
                {label === '' ? name : `${name} ${label}`}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Day">
          <Input type="date" value={day} max={today()} onChange={(event) => setDay(event.target.value || log.loggedOn)} />
        </Field>
        <Field label="Week" hint={log.isWeekStated ? undefined : 'Leave empty to use the dates'} error={errors.week}>
          <Input inputMode="numeric" value={texts.week ?? ''} onChange={(event) => write('week', event.target.value)} />
        </Field>
        <Field label={labelOf(height, units)} error={errors.heightCm}>
          <Input inputMode="decimal" value={texts.heightCm ?? ''} onChange={(event) => write('heightCm', event.target.value)} />
        </Field>
      </div>
      <RatingButtons
        value={texts.rating ? Number(texts.rating) : null}
        onChange={(rating) => write('rating', rating === null ? '' : String(rating))}
      />
      <Field label="Notes" error={errors.notes}>
        <Textarea rows={3} value={texts.notes ?? ''} onChange={(event) => write('notes', event.target.value)} />
      </Field>
      <ExpertFields texts={texts} onChange={write} errors={errors} />
      <div ref={photosPart} className="grid gap-2">
        {remaining.length > 0 && (
          <ul aria-label="Photos in this log" className="flex flex-wrap gap-2">
            {remaining.map((photo, nth) => (
              <li key={photo.id} className="grid gap-1">
                <span className="block size-20 overflow-hidden rounded-input bg-sunk">
                  <MediaPicture media={photo} sizes="80px" />
                </span>
                <Button variant="quiet" size="sm" aria-label={`Remove photo ${nth + 1}`} onClick={() => takeOut(nth)}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <PhotoPicker photos={photos} onChange={setPhotos} others={remaining.length} />
      </div>
    </form>
  )
}
