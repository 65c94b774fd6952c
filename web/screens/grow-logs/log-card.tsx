import { Copy, Ellipsis, History, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { facts, fieldOf, formatDay, labelOf, logFields, textOf, unitOf } from '#web/entities/grow-logs/log-fields.ts'
import { changeOf, ExpertFields, RatingButtons, type Texts, textsOf } from '#web/entities/grow-logs/log-inputs.tsx'
import { LogPhotos } from '#web/entities/grow-logs/log-photos.tsx'
import { correctLog } from '#web/entities/grow-logs/log-writes.ts'
import { PhotoPicker } from '#web/entities/grow-logs/photo-picker.tsx'
import { type LogPlant, nameOfLog } from '#web/entities/grow-logs/plant-names.ts'
import { MediaPicture } from '#web/entities/media/media-picture.tsx'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { PendingBadge, PendingEntry } from '#web/entities/offline/pending-entry.tsx'
import { type PendingWrite, usePhotoUrl } from '#web/entities/offline/use-outbox.ts'
import { localDay } from '#web/lib/time-words.ts'
import { useUnits, withUnit } from '#web/lib/units.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { DayInput, Input, Textarea } from '#web/ui/input.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { Select } from '#web/ui/select.tsx'

export type LogAction = 'edit' | 'copy' | 'history' | 'delete'

type LogCardProps = {
  log: GrowLog
  pending?: PendingWrite | undefined
  /** Null for read-only viewers. */
  onAction: ((action: LogAction) => void) | null
}

export function LogCard({ log, pending, onAction }: LogCardProps) {
  const units = useUnits()
  const name = nameOfLog(log)
  const measured = facts(log, units, ['plain'])
  const expert = facts(log, units, ['air', 'water', 'work'])
  return (
    <Card asChild>
      <article aria-label={`Log for ${name}, ${formatDay(log.loggedOn)}`}>
        <CardBody className="grid gap-3">
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <h3 className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-lg">
                <span className="tabular-nums">{name}</span>
                {log.week !== null && <span className="font-text text-base text-muted">Week {log.week}</span>}
              </h3>
              <p className="text-muted text-sm">
                {formatDay(log.loggedOn)}
                {log.author && ` · ${log.author.name}`}
              </p>
            </div>
            {pending && <PendingBadge status={pending.status} />}
            {!pending && log.version > 1 && <Badge variant="outline">Edited</Badge>}
            {onAction && (
              <Menu>
                <MenuTrigger asChild>
                  <Button
                    variant="quiet"
                    className="-mt-2 -mr-2 min-h-12 w-12 px-0"
                    aria-label={`Actions for the log for ${name}, ${formatDay(log.loggedOn)}`}
                  >
                    <Ellipsis aria-hidden="true" />
                  </Button>
                </MenuTrigger>
                <MenuContent>
                  <MenuItem onSelect={() => onAction('edit')}>
                    <Pencil aria-hidden="true" />
                    Edit
                  </MenuItem>
                  <MenuItem onSelect={() => onAction('copy')}>
                    <Copy aria-hidden="true" />
                    Copy to other plants
                  </MenuItem>
                  {log.version > 1 && (
                    <MenuItem onSelect={() => onAction('history')}>
                      <History aria-hidden="true" />
                      History
                    </MenuItem>
                  )}
                  <MenuItem danger onSelect={() => onAction('delete')}>
                    <Trash2 aria-hidden="true" />
                    Delete
                  </MenuItem>
                </MenuContent>
              </Menu>
            )}
          </div>
          {measured.length > 0 && (
            <dl className="flex flex-wrap gap-x-6 gap-y-1">
              {measured.map(({ label, value }) => (
                <div key={label} className="flex items-baseline gap-1.5">
                  <dt className="text-muted text-sm">{label}</dt>
                  <dd className="font-semibold tabular-nums">{label === 'Rating' ? `${value} / 10` : value}</dd>
                </div>
              ))}
            </dl>
          )}
          {log.notes !== '' && <p className="max-w-text whitespace-pre-line">{log.notes}</p>}
          {(expert.length > 0 || log.vpdKpa !== null) && (
            <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
              {[...expert, ...(log.vpdKpa === null ? [] : [{ label: 'VPD', value: `${log.vpdKpa.toFixed(2)} kPa` }])].map(
                ({ label, value }) => (
                  <div key={label} className="flex items-baseline gap-1.5">
                    <dt className="text-muted">{label}</dt>
                    <dd className="tabular-nums">{value}</dd>
                  </div>
                ),
              )}
            </dl>
          )}
          <LogPhotos photos={log.photos} title={`Photos from the log for ${name}`} />
        </CardBody>
      </article>
    </Card>
  )
}

export function PendingLog({ write }: { write: PendingWrite }) {
  const units = useUnits()
  if (write.hold) return <PendingEntry write={write} />
  const { body, photos, title, status } = write
  const said = logFields.flatMap((field) => {
    const text = textOf(field, body, units)
    if (text === '' || field.key === 'notes' || field.key === 'week') return []
    return [{ label: field.label, value: withUnit(text, unitOf(field, units)) }]
  })
  return (
    <Card asChild>
      <article aria-label={title}>
        <CardBody className="grid gap-3">
          <div className="flex flex-wrap items-start justify-between gap-2">
            <div>
              <h3 className="text-lg">{title}</h3>
              {typeof body.loggedOn === 'string' && <p className="text-muted text-sm">{formatDay(body.loggedOn)}</p>}
            </div>
            <PendingBadge status={status} />
          </div>
          {said.length > 0 && (
            <dl className="flex flex-wrap gap-x-6 gap-y-1">
              {said.map(({ label, value }) => (
                <div key={label} className="flex items-baseline gap-1.5">
                  <dt className="text-muted text-sm">{label}</dt>
                  <dd className="font-semibold tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {typeof body.notes === 'string' && body.notes !== '' && <p className="max-w-text whitespace-pre-line">{body.notes}</p>}
          {photos.length > 0 && (
            <ul aria-label={`Photos: ${title}`} className="flex flex-wrap gap-2">
              {photos.map(({ key, name }) => (
                <li key={key} className="size-20 overflow-hidden rounded-input bg-sunk">
                  <WaitingPhoto photoKey={key} name={name} />
                </li>
              ))}
            </ul>
          )}
        </CardBody>
      </article>
    </Card>
  )
}

function WaitingPhoto({ photoKey, name }: { photoKey: string; name: string }) {
  const url = usePhotoUrl(photoKey)
  return url && <img src={url} alt={name} className="size-full object-cover" />
}

type EditLogProps = {
  /** Includes the pending change, as shown. */
  log: GrowLog
  pending: PendingWrite | undefined
  plants: readonly LogPlant[]
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

export function EditLog({ log, pending, plants, isOpen, onOpenChange }: EditLogProps) {
  const formId = useId()
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Edit log for ${nameOfLog(log)}`}
        description="The previous version will be kept in the history."
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
        <EditForm formId={formId} log={log} pending={pending} plants={plants} onSaved={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

type EditFormProps = Pick<EditLogProps, 'log' | 'pending' | 'plants'> & { formId: string; onSaved: () => void }

function EditForm({ formId, log, pending, plants, onSaved }: EditFormProps) {
  const units = useUnits()
  // As opened, because the pending change may arrive in the meantime.
  const [first] = useState(() => textsOf(log, units))
  const [firstPlantId] = useState(() => plantIdOf(log, pending))
  const [hasPendingPhotos] = useState(() => changesPhotos(pending))
  const [texts, setTexts] = useState<Texts>(first)
  const [day, setDay] = useState(log.loggedOn)
  const [plantId, setPlantId] = useState(firstPlantId)
  const [remaining, setRemaining] = useState(log.photos)
  const [photos, setPhotos] = useState<readonly File[]>([])
  const [errors, setErrors] = useState<Texts>({})
  const photosPart = useRef<HTMLDivElement>(null)
  const write = (key: string, text: string) => setTexts({ ...texts, [key]: text })
  const takeOut = (nth: number) => {
    setRemaining(remaining.filter((_photo, each) => each !== nth))
    // The removed photo's button had focus, so move it to the next one or to the add button.
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
      ...(plantId === firstPlantId ? {} : { plantId: plantId === '' ? null : plantId }),
      ...(photos.length === 0 && remaining.length === log.photos.length ? {} : { mediaIds: remaining.map(({ id }) => id) }),
    }
    try {
      if (Object.keys(change).length > 0)
        await correctLog(log, change, { photos, plant: plants.find(({ id }) => id === plantId)?.name ?? '' })
      onSaved()
    } catch (error) {
      toastUnsaved('The change couldn’t be saved', error)
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
          <DayInput value={day} max={localDay()} onDayChange={setDay} />
        </Field>
        <Field label="Week" hint={log.isWeekStated ? undefined : 'Leave empty to use the dates.'} error={errors.week}>
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
      {hasPendingPhotos ? (
        <p className="text-muted text-sm">You can change the photos once your last change has been sent.</p>
      ) : (
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
      )}
    </form>
  )
}

const plantIdOf = (log: GrowLog, pending: PendingWrite | undefined): string => {
  const isMoved = pending && !pending.hold && pending.body.plantId !== undefined
  return (isMoved ? (pending.body.plantId as string | null) : log.plant?.id) ?? ''
}

/** Changing the photos replaces the whole list, which doesn't include photos still waiting to be sent. */
const changesPhotos = (pending: PendingWrite | undefined): boolean =>
  pending !== undefined && !pending.hold && (pending.photos.length > 0 || pending.body.mediaIds !== undefined)
